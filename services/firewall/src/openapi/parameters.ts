import type { CompiledKind } from '../kinds/compiled-kind.ts'
import type { FieldSet } from '../kinds/field-set.ts'
import { isShown } from '../kinds/kind.ts'
import type { KindReplies } from './kind-replies.ts'
import type { Schema } from './schemas.ts'

/** The names in the path, outermost first. */
export function parametersOf(kinds: readonly CompiledKind[], replies: KindReplies): Schema[] {
  return kinds
    .filter(({ identifiedBy }) => identifiedBy !== undefined)
    .map((kind) => {
      const example = replies.nameOf(kind)
      return {
        name: parameterName(kind),
        in: 'path',
        required: true,
        description: `Name of the ${kind.name}.`,
        schema: { type: 'string' },
        ...(example === undefined ? {} : { example }),
      }
    })
}

/** The name of a kind's object in paths: {service_group_id}. */
export function parameterName({ name }: CompiledKind): string {
  return `${name.replaceAll('-', '_')}_id`
}

/** The query parameter `groups`, with the titles that the kind has. */
export function groupsParameter(kind: CompiledKind): Schema {
  const titles = [kind, ...kind.sections, ...kind.excerpts, ...kind.children].map(({ title }) => title)
  return listParameter('groups', 'The parts to show; the kind itself stands for its plain members.', titles)
}

/** The query parameter `parameters`, with the members that may be named. */
export function fieldsParameter(fields: FieldSet): Schema {
  const names = Array.from(fields)
    .filter(({ field }) => isShown(field))
    .map(({ name }) => name)
  return listParameter('parameters', 'The members to show.', names)
}

function listParameter(name: string, description: string, values: readonly string[]): Schema {
  const schema = { type: 'array', items: { type: 'string', examples: values } }
  return { name, in: 'query', description, style: 'form', explode: false, schema }
}

/** The query parameter `category`. */
export const categoryParameter: Schema = {
  name: 'category',
  in: 'query',
  description:
    'How the objects fare, in the place of what they are; parameters may then name members of both.',
  schema: { type: 'string', enum: ['operational'] },
}

/** The query parameters `offset` and `limit`. */
export const pageParameters: readonly Schema[] = [
  { name: 'limit', in: 'query', description: 'How many to show.', schema: { type: 'integer', minimum: 1 } },
  { name: 'offset', in: 'query', description: 'How many to skip.', schema: { type: 'integer', minimum: 0 } },
]
