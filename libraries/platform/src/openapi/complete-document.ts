import { STATUS_CODES } from 'node:http'
import { type RefusalCode, statusOfRefusal } from '../http/refusal.ts'
import { exampleOf } from './example.ts'
import { isObject, mapped, withNamedSchemas } from './named-schemas.ts'
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
    paths: eachOperation(document.paths, withRefusals),
    components: {
      ...components,
      securitySchemes: contract.securitySchemes,
      responses: refusedResponses(service),
    },
  })
  const { schemas } = Object(named.components)
  return { ...named, paths: eachOperation(named.paths, (operation) => withExamples(operation, schemas)) }
}

function eachOperation(paths: unknown, change: (operation: JsonObject) => JsonObject): JsonObject {
  return mapped(Object(paths), (_path, item) =>
    mapped(Object(item), (method, operation) =>
      methods.has(method) && isObject(operation) ? change(operation) : operation,
    ),
  )
}

/** The replies of the envelope, where the operation has none of its own. */
function withRefusals(operation: JsonObject): JsonObject {
  const responses = {
    '4XX': { $ref: '#/components/responses/Refused' },
    '5XX': { $ref: '#/components/responses/Failed' },
    ...Object(operation.responses),
  }
  return { ...operation, responses }
}

/** What the envelope says, by way of example, to a request that is refused and to one that fails. */
const messages: Readonly<Partial<Record<RefusalCode, string>>> = {
  'bad-request': 'A parameter or a member of the body is missing or is not valid.',
  unauthenticated: 'The access token is unknown or has expired.',
  forbidden: 'The caller may not do this.',
  'not-found': 'Nothing is found at this address.',
  'too-many-requests': 'There were too many requests. Wait and try again.',
  internal: 'The request could not be served.',
  unavailable: 'The service cannot be reached now. Try again.',
}

function refusedResponses({ contract, envelope }: ContractedService): JsonObject {
  const response = (description: string, isMeant: (status: number) => boolean) => {
    const content: Record<string, { schema: unknown; examples: Record<string, unknown> }> = {}
    for (const [code, message] of Object.entries(messages) as [RefusalCode, string][]) {
      if (!isMeant(statusOfRefusal[code])) continue
      const { body, contentType = 'application/json' } = envelope({ code, message })
      content[contentType] ??= { schema: contract.refusal, examples: {} }
      content[contentType].examples[code] = { value: body }
    }
    return { description, content }
  }
  return {
    Refused: response('The request was refused; the body says why.', (status) => status < 500),
    Failed: response('The request could not be served; the body says why.', (status) => status >= 500),
  }
}

function withExamples(operation: JsonObject, schemas: JsonObject): JsonObject {
  const withExample = (holder: unknown) => {
    if (!isObject(holder) || !isObject(holder.content)) return holder
    return { ...holder, content: mapped(holder.content, (_type, media) => exampledMedia(media, schemas)) }
  }
  return mapped(operation, (name, value) => {
    if (name === 'requestBody') return withExample(value)
    if (name !== 'responses') return value
    return mapped(Object(value), (status, reply) => withExample(describedReply(status, reply)))
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
