import type { CompiledCatalogue, CompiledKind, CompiledSection } from '../kinds/compiled-kind.ts'
import type { FieldSet } from '../kinds/field-set.ts'
import type { Operation } from '../kinds/kind.ts'
import { givenMembers, requiredFields, type Schema, shownMembers } from './schemas.ts'

/** The operations at one address, by method in lower case, beside the parameters that they share. */
export type PathItem = Readonly<Record<string, unknown>>

/** The part of an OpenAPI document that describes the kinds: addresses with their operations, and schemas. */
export interface DescribedKinds {
  readonly paths: Readonly<Record<string, PathItem>>
  readonly schemas: Readonly<Record<string, Schema>>
}

/**
 * Describes every address of every kind.
 *
 * @param root what stands before the kinds' addresses: "/restapi/v3.2"
 */
export function describeKinds(catalogue: CompiledCatalogue, root: string): DescribedKinds {
  const described = [...catalogue.values()].map((kind) => describeKind(kind, root))
  return {
    paths: Object.assign({}, ...described.map(({ paths }) => paths)),
    schemas: Object.assign({}, ...described.map(({ schemas }) => schemas)),
  }
}

function describeKind(kind: CompiledKind, root: string): DescribedKinds {
  const type = inPascalCase(kind.name)
  const { collection, item } = addressesOf(kind, root)
  const around = parametersOf(kind.lineage.slice(0, -1))
  const own = [...around, ...parametersOf([kind])]
  const sections = kind.sections.map((section) => describeSection(kind, section, item, own))
  const operations = operationsOf(kind, type)
  const pick = (names: readonly Operation[]): PathItem =>
    Object.fromEntries(
      names.flatMap((name) => {
        const [method, operation] = operations[name]
        return kind.operations.has(name) ? [[method, operation]] : []
      }),
    )
  const shown = {
    object: { type: 'string', const: kind.title },
    ...Object.fromEntries(
      kind.sections.map(({ title, segment }) => [title, reference(`${type}${inPascalCase(segment)}`)]),
    ),
  }
  return {
    paths: {
      ...(kind.identifiedBy === undefined
        ? {}
        : { [collection]: { parameters: around, ...pick(['list', 'create']) } }),
      [item]: { parameters: own, ...pick(['read', 'update', 'delete']) },
      ...Object.assign({}, ...sections.map(({ paths }) => paths)),
    },
    schemas: {
      [type]: shownMembers(type, kind.fields, shown),
      [`${type}Members`]: givenMembers(`${type}Members`, kind.fields, []),
      [`${type}Creation`]: givenMembers(`${type}Creation`, kind.fields, requiredFields(kind)),
      ...Object.assign({}, ...sections.map(({ schemas }) => schemas)),
    },
  }
}

function operationsOf(kind: CompiledKind, type: string): Record<Operation, [method: string, Schema]> {
  const tags = [kind.title]
  const plural = inPascalCase(kind.segments.at(-1) ?? '')
  const byName = { type: 'object', additionalProperties: reference(type) }
  const list = replySchema({ object: { const: kind.title }, data: byName }, ['token'])
  const one = replySchema({ object: { const: kind.title }, data: byName }, ['data', 'token'])
  const view = [groupsParameter(kind), fieldsParameter(kind.fields)]
  return {
    list: [
      'get',
      {
        operationId: `list${plural}`,
        summary: `List every ${kind.name}. ${kind.description}`,
        tags,
        parameters: [...view, ...pageParameters],
        responses: { 200: jsonReply('By name; `data` is left out when there are none.', list), ...refusals },
      },
    ],
    create: [
      'post',
      {
        operationId: `create${type}`,
        summary: `Create a ${kind.name}.`,
        tags,
        requestBody: jsonBody(`${type}Creation`),
        responses: { 201: jsonReply('Created.', reference('Done')), ...refusals },
      },
    ],
    read: [
      'get',
      {
        operationId: `get${type}`,
        summary: `Read one ${kind.name}.`,
        tags,
        parameters: view,
        responses: { 200: jsonReply('The object, by its name.', one), ...refusals },
      },
    ],
    update: [
      'put',
      {
        operationId: `update${type}`,
        summary: `Change a ${kind.name}; members that are left out stay as they are.`,
        tags,
        requestBody: jsonBody(`${type}Members`),
        responses: { 200: jsonReply('Changed.', reference('Done')), ...refusals },
      },
    ],
    delete: [
      'delete',
      {
        operationId: `delete${type}`,
        summary: `Delete a ${kind.name} and everything inside it.`,
        tags,
        responses: { 200: jsonReply('Deleted.', reference('Done')), ...refusals },
      },
    ],
  }
}

function describeSection(
  kind: CompiledKind,
  { segment, title, description, fields }: CompiledSection,
  item: string,
  parameters: readonly Schema[],
): DescribedKinds {
  const type = `${inPascalCase(kind.name)}${inPascalCase(segment)}`
  const tags = [kind.title]
  const data = {
    type: 'object',
    additionalProperties: { type: 'object', properties: { [title]: reference(type) }, required: [title] },
  }
  return {
    paths: {
      [`${item}/${segment}`]: {
        parameters,
        get: {
          operationId: `get${type}`,
          summary: `Read "${title}" of a ${kind.name}. ${description}`,
          tags,
          parameters: [fieldsParameter(fields)],
          responses: {
            200: jsonReply("The section, by the object's name.", replySchema({ data }, ['data', 'token'])),
            ...refusals,
          },
        },
        put: {
          operationId: `update${type}`,
          summary: `Change "${title}" of a ${kind.name}; members that are left out stay as they are.`,
          tags,
          requestBody: jsonBody(`${type}Members`),
          responses: { 200: jsonReply('Changed.', reference('Done')), ...refusals },
        },
      },
    },
    schemas: {
      [type]: shownMembers(type, fields),
      [`${type}Members`]: givenMembers(`${type}Members`, fields, []),
    },
  }
}

function addressesOf(kind: CompiledKind, root: string): { collection: string; item: string } {
  const parent = kind.lineage.at(-2)
  const collection = [parent ? addressesOf(parent, root).item : root, ...kind.segments].join('/')
  return {
    collection,
    item: kind.identifiedBy === undefined ? collection : `${collection}/{${parameterName(kind)}}`,
  }
}

function parametersOf(kinds: readonly CompiledKind[]): Schema[] {
  return kinds
    .filter(({ identifiedBy }) => identifiedBy !== undefined)
    .map((kind) => ({
      name: parameterName(kind),
      in: 'path',
      required: true,
      description: `Name of the ${kind.name}.`,
      schema: { type: 'string' },
    }))
}

function parameterName({ name }: CompiledKind): string {
  return `${name.replaceAll('-', '_')}_id`
}

function groupsParameter(kind: CompiledKind): Schema {
  const titles = [kind, ...kind.sections, ...kind.children].map(({ title }) => title)
  return listParameter('groups', 'The parts to show; the kind itself stands for its plain members.', titles)
}

function fieldsParameter(fields: FieldSet): Schema {
  const names = Array.from(fields)
    .filter(({ field }) => !field.writeOnly)
    .map(({ name }) => name)
  return listParameter('parameters', 'The members to show.', names)
}

function listParameter(name: string, description: string, values: readonly string[]): Schema {
  const schema = { type: 'array', items: { type: 'string', examples: values } }
  return { name, in: 'query', description, style: 'form', explode: false, schema }
}

const pageParameters: readonly Schema[] = [
  { name: 'limit', in: 'query', description: 'How many to show.', schema: { type: 'integer', minimum: 1 } },
  { name: 'offset', in: 'query', description: 'How many to skip.', schema: { type: 'integer', minimum: 0 } },
]

/** What may go wrong everywhere; each reply says more. */
const refusals = {
  default: { $ref: '#/components/responses/Refused' },
}

function replySchema(members: Readonly<Record<string, Schema>>, required: readonly string[]): Schema {
  return { type: 'object', properties: { ...members, token: { type: 'string' } }, required }
}

export function jsonReply(description: string, schema: Schema): Schema {
  return { description, content: { 'application/json': { schema } } }
}

function jsonBody(name: string): Schema {
  return { required: true, content: { 'application/json': { schema: reference(name) } } }
}

export function reference(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}

/** "url-encryption" becomes "UrlEncryption". */
function inPascalCase(name: string): string {
  return name
    .split(/[^a-zA-Z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}
