import { STATUS_CODES } from 'node:http'
import type { RefusalCode } from '../refusal.ts'
import { exampleOf } from './example.ts'
import { isObject, mapMembers, withNamedSchemas } from './named-schemas.ts'
import type { ContractedService, JsonObject } from './service-contract.ts'

const methods = new Set(['get', 'put', 'post', 'delete', 'patch', 'head', 'options'])

/**
 * Completes the OpenAPI document of a service's routes: what the service is about, how callers show who they are, the replies of
 * its error envelope with every operation, schemas that have a title as components, and an example of each body and reply.
 *
 * @throws Error when two schemas that differ have the same title
 */
export function completeDocument(document: JsonObject, service: ContractedService): JsonObject {
  const { contract } = service
  const components = isObject(document.components) ? document.components : {}
  const named = withNamedSchemas({
    ...document,
    info: {
      ...Object(document.info),
      description: contract.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    tags: Object.entries(contract.tags).map(([name, description]) => ({ name, description })),
    paths: eachOperation(document.paths, (operation, path) =>
      withRefusals(operation, path, document.security),
    ),
    components: {
      ...components,
      securitySchemes: contract.securitySchemes,
      responses: refusedResponses(service),
    },
  })
  const { schemas } = Object(named.components)
  return { ...named, paths: eachOperation(named.paths, (operation) => withExamples(operation, schemas)) }
}

function eachOperation(
  paths: unknown,
  change: (operation: JsonObject, path: string) => JsonObject,
): JsonObject {
  return mapMembers(Object(paths), (path, item) =>
    mapMembers(Object(item), (method, operation) =>
      methods.has(method) && isObject(operation) ? change(operation, path) : operation,
    ),
  )
}

/** The statuses of refusals that operations name; what else may be answered is the `default`. */
const refusals = {
  400: {
    name: 'BadRequest',
    code: 'bad-request',
    message: 'A parameter or a member of the body is missing or is not valid.',
  },
  401: {
    name: 'Unauthenticated',
    code: 'unauthenticated',
    message: 'The access token is unknown or has expired.',
  },
  403: { name: 'Forbidden', code: 'forbidden', message: 'The caller may not do this.' },
  404: { name: 'NotFound', code: 'not-found', message: 'Nothing is found at this address.' },
  500: { name: 'Failed', code: 'internal', message: 'An internal error occurred. It has been logged.' },
  default: {
    name: 'Refused',
    code: 'too-many-requests',
    message: 'There were too many requests. Wait and try again.',
  },
} as const satisfies Record<string, { name: string; code: RefusalCode; message: string }>

/** The replies of the envelope, where the operation has none of its own. */
function withRefusals(operation: JsonObject, path: string, securityOfAll: unknown): JsonObject {
  const { security = securityOfAll } = operation
  const isSecured =
    Array.isArray(security) && security.length > 0 && security.every((one) => Object.keys(one).length > 0)
  const isMeant = { 401: isSecured, 403: isSecured, 404: path.includes('{') }
  const named = Object.entries(refusals)
    .filter(([status]) => Reflect.get(isMeant, status) !== false)
    .map(([status, { name }]) => [status, { $ref: `#/components/responses/${name}` }])
  return { ...operation, responses: { ...Object.fromEntries(named), ...Object(operation.responses) } }
}

function refusedResponses({ contract, envelope }: ContractedService): JsonObject {
  const responses = Object.values(refusals).map(({ name, code, message }) => {
    const { body, contentType = 'application/json' } = envelope({ code, message })
    const content = { [contentType]: { schema: contract.refusal, example: body } }
    const description = name === 'Refused' ? 'Refused for another reason; the body says why.' : message
    return [name, { description, content }]
  })
  return Object.fromEntries(responses)
}

function withExamples(operation: JsonObject, schemas: JsonObject): JsonObject {
  const withExample = (holder: unknown) => {
    if (!isObject(holder) || !isObject(holder.content)) return holder
    return { ...holder, content: mapMembers(holder.content, (_type, media) => exampledMedia(media, schemas)) }
  }
  return mapMembers(operation, (name, value) => {
    if (name === 'requestBody') return withExample(value)
    if (name !== 'responses') return value
    return mapMembers(Object(value), (status, reply) => withExample(describedReply(status, reply)))
  })
}

/** What @fastify/swagger says where a route says nothing of a reply is replaced by the status in words. */
function describedReply(status: string, reply: unknown): unknown {
  if (!isObject(reply) || reply.description !== 'Default Response') return reply
  return { ...reply, description: STATUS_CODES[status] ?? 'The reply.' }
}

function exampledMedia(media: unknown, schemas: JsonObject): unknown {
  if (!isObject(media) || 'example' in media || 'examples' in media) return media
  const example = exampleOf(media.schema, schemas)
  return example === undefined ? media : { ...media, example }
}
