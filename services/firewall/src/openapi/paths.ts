import type {
  CompiledCatalogue,
  CompiledColumns,
  CompiledKind,
  CompiledSection,
} from '../kinds/compiled-kind.ts'
import { isShown, type Operation, operations as operationNames } from '../kinds/kind.ts'
import { doneReply, jsonBody, jsonReply, reference, replySchema } from './bodies.ts'
import type { KindReplies } from './kind-replies.ts'
import { inPascalCase, operationsOf } from './operations.ts'
import { fieldsParameter, parameterName, parametersOf } from './parameters.ts'
import { givenMembers, requiredFields, type Schema, shownMembers } from './schemas.ts'
import { unenforcedMemberNames } from './unenforced-member-names.ts'

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
 * @param replies what is shown by way of example
 */
export function describeKinds(
  catalogue: CompiledCatalogue,
  root: string,
  replies: KindReplies,
): DescribedKinds {
  const described = [...catalogue.values()].map((kind) => describeKind(kind, root, replies))
  return {
    paths: Object.assign({}, ...described.map(({ paths }) => paths)),
    schemas: Object.assign({}, ...described.map(({ schemas }) => schemas)),
  }
}

function describeKind(kind: CompiledKind, root: string, replies: KindReplies): DescribedKinds {
  const type = inPascalCase(kind.name)
  const keptNotice = unenforcedMemberNames(kind, undefined, kind.fields)
  const { collection, item } = addressesOf(kind, root)
  const around = parametersOf(kind.lineage.slice(0, -1), replies)
  const own = [...around, ...parametersOf([kind], replies)]
  const sections = kind.sections.map((section) => describeSection(kind, section, { item, own, replies }))
  const operations = operationsOf(kind, type, replies)
  const pick = (names: readonly Operation[]): PathItem =>
    Object.fromEntries(
      names.flatMap((name) => {
        const [method, operation] = operations[name]
        return kind.operations.has(name) ? [[method, operation]] : []
      }),
    )
  const shown = {
    object: { type: 'string', const: kind.title },
    ...Object.assign({}, ...kind.children.map(shownInside)),
    ...(kind.operational ? operationalMembers : {}),
    // Where a section and a kind inside have one title, replies show the section.
    ...Object.fromEntries(
      kind.sections.map(({ title, segment }) => [title, reference(`${type}${inPascalCase(segment)}`)]),
    ),
    ...Object.fromEntries(kind.excerpts.map(({ title, fields }) => [title, shownMembers(title, fields)])),
    ...Object.fromEntries(
      kind.olderExcerpts.map(({ title, fields }) => [
        title,
        {
          ...shownMembers(`${type}InOlderVersions`, fields),
          description: 'The same members once more, as v3 and v3.1 show them.',
        },
      ]),
    ),
    ...Object.fromEntries(kind.columns.map((one) => [one.title, shownAsColumns(one)])),
  }
  return {
    paths: {
      ...(kind.identifiedBy === undefined
        ? {}
        : { [collection]: { parameters: around, ...pick(['list', 'create']) } }),
      [item]: {
        parameters: own,
        ...pick(kind.identifiedBy === undefined ? [...operationNames] : ['read', 'update', 'delete']),
      },
      ...Object.assign({}, ...sections.map(({ paths }) => paths)),
    },
    schemas: {
      [type]: shownMembers(type, kind.fields, shown),
      ...(kind.operations.has('update')
        ? { [`${type}Members`]: givenMembers(`${type}Members`, kind.fields, [], keptNotice) }
        : {}),
      ...(kind.operations.has('create')
        ? {
            [`${type}Creation`]: givenMembers(
              `${type}Creation`,
              kind.fields,
              requiredFields(kind),
              keptNotice,
            ),
          }
        : {}),
      ...Object.assign({}, ...sections.map(({ schemas }) => schemas)),
    },
  }
}

/** A kind of which a single object shows all objects; asked for by its title, one that lies inside is shown as other kinds are. */
function shownAsColumns({ kind }: CompiledColumns): Schema {
  const list = { type: 'array', description: 'The values of all objects, in the order of their names.' }
  const lists = Array.from(kind.fields)
    .filter(({ field }) => isShown(field))
    .map(({ name }) => [name, list])
  const title = `${inPascalCase(kind.name)}Columns`
  return { title, type: 'object', properties: Object.fromEntries(lists) }
}

/** What is shown with category=operational. */
const operationalMembers: Readonly<Record<string, Schema>> = {
  'operational-status': { type: 'string', description: 'Only with category=operational.' },
  'status-reason': { type: 'string', description: 'Only with category=operational.' },
}

/** What an object shows of the objects of one kind inside it: those, when asked for, and how many there are. */
function shownInside({ name, title, shownInParent }: CompiledKind): Readonly<Record<string, Schema>> {
  const data = { type: 'object', additionalProperties: reference(inPascalCase(name)) }
  return {
    [title]: {
      type: 'object',
      description: 'By name; empty when there are none.',
      properties: { object: { type: 'string', const: title }, data },
    },
    ...(shownInParent ? { [`${title} count`]: { type: 'integer' } } : {}),
  }
}

function describeSection(
  kind: CompiledKind,
  section: CompiledSection,
  around: { readonly item: string; readonly own: readonly Schema[]; readonly replies: KindReplies },
): DescribedKinds {
  const { segment, title, description, fields, operations } = section
  const { item, own: parameters, replies } = around
  const type = `${inPascalCase(kind.name)}${inPascalCase(segment)}`
  const tags = [kind.title]
  const data = {
    type: 'object',
    additionalProperties: { type: 'object', properties: { [title]: reference(type) }, required: [title] },
  }
  const read = {
    operationId: `get${type}`,
    summary: `Read "${title}" of a ${kind.name}. ${description}`,
    tags,
    parameters: [fieldsParameter(fields)],
    responses: {
      200: jsonReply(
        "The section, by the object's name.",
        replySchema(`${type}ByName`, { data }, ['data', 'token']),
        replies.section(kind, section),
      ),
    },
  }
  const summary = `Change "${title}" of a ${kind.name}; members that are left out stay as they are.`
  const requestBody = jsonBody(`${type}Members`, replies.sectionBody(kind, section))
  const id = replies.nameOf(kind)
  const update = {
    operationId: `update${type}`,
    summary,
    tags,
    requestBody,
    responses: { 200: doneReply('Changed.', 'Configuration updated', id) },
  }
  const create = {
    operationId: `create${type}`,
    summary: `${summary} The same as PUT.`,
    tags,
    requestBody,
    responses: { 201: doneReply('Changed.', 'Successfully created.', id) },
  }
  return {
    paths: {
      [`${item}/${segment}`]: {
        parameters,
        ...(operations.has('read') ? { get: read } : {}),
        ...(operations.has('create') ? { post: create } : {}),
        ...(operations.has('update') ? { put: update } : {}),
      },
    },
    schemas: {
      [type]: shownMembers(type, fields),
      ...(operations.has('create') || operations.has('update')
        ? {
            [`${type}Members`]: givenMembers(
              `${type}Members`,
              fields,
              [],
              unenforcedMemberNames(kind, segment, fields),
            ),
          }
        : {}),
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
