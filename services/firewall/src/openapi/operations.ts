import type { CompiledKind } from '../kinds/compiled-kind.ts'
import type { Operation } from '../kinds/kind.ts'
import { doneReply, jsonBody, jsonReply, reference, replySchema } from './bodies.ts'
import type { KindReplies } from './kind-replies.ts'
import { categoryParameter, fieldsParameter, groupsParameter, pageParameters } from './parameters.ts'
import type { Schema } from './schemas.ts'

/**
 * What may be done with the objects of a kind: the method in lower case, and its description.
 *
 * @param type what schemas about the kind are called
 */
export function operationsOf(
  kind: CompiledKind,
  type: string,
  replies: KindReplies,
): Record<Operation, [method: string, Schema]> {
  const tags = [kind.title]
  const plural = inPascalCase(kind.segments.at(-1) ?? '')
  const byName = { type: 'object', additionalProperties: reference(type) }
  const around = kind.lineage.slice(0, -1)
  const names = Object.fromEntries(around.map(({ title }) => [title, { type: 'string' }]))
  const object = { type: 'string', const: kind.title }
  const list = replySchema(`${type}List`, { object, ...names, data: byName }, ['token'])
  const data = kind.shownFlat ? reference(type) : byName
  const one = replySchema(`${type}ByName`, { object, data }, ['data', 'token'])
  const id = replies.nameOf(kind)
  const view = [
    groupsParameter(kind),
    fieldsParameter(kind.fields),
    ...(kind.operational ? [categoryParameter] : []),
  ]
  return {
    list: [
      'get',
      {
        operationId: `list${plural}`,
        summary: `List every ${kind.name}. ${kind.description}`,
        tags,
        parameters: [...view, ...pageParameters],
        responses: {
          200: jsonReply('By name; `data` is left out when there are none.', list, replies.list(kind)),
        },
      },
    ],
    create: [
      'post',
      {
        operationId: `create${type}`,
        summary: `Create a ${kind.name}.`,
        tags,
        requestBody: jsonBody(`${type}Creation`, replies.creation(kind)),
        responses: { 201: doneReply('Created.', 'Successfully created.', id) },
      },
    ],
    read: [
      'get',
      {
        operationId: `get${type}`,
        summary: `Read one ${kind.name}.`,
        tags,
        parameters: view,
        responses: { 200: jsonReply('The object, by its name.', one, replies.one(kind)) },
      },
    ],
    update: [
      'put',
      {
        operationId: `update${type}`,
        summary: `Change a ${kind.name}; members that are left out stay as they are.`,
        tags,
        requestBody: jsonBody(`${type}Members`, replies.update(kind)),
        responses: { 200: doneReply('Changed.', 'Configuration updated', id) },
      },
    ],
    delete: [
      'delete',
      {
        operationId: `delete${type}`,
        summary: `Delete a ${kind.name} and everything inside it.`,
        tags,
        responses: { 200: doneReply('Deleted.', 'Successfully deleted.') },
      },
    ],
  }
}

/** "url-encryption" becomes "UrlEncryption". */
export function inPascalCase(name: string): string {
  return name
    .split(/[^a-zA-Z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}
