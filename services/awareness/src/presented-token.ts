import type { FastifyRequest } from 'fastify'
import { ambiguousToken } from './refusals.ts'

/**
 * The access token that a request carries: as query parameter `access_token`, as request header `access_token`
 * (specification, "Authentication"), or as `Authorization: Bearer`. One that comes twice must be the same.
 *
 * @returns undefined when there is none
 * @throws RequestRefused bad-request when there are several that differ (RFC 6750, section 2)
 */
export function presentedToken(request: FastifyRequest): string | undefined {
  const query = request.query ?? {}
  const parameter = typeof query === 'object' && 'access_token' in query ? query.access_token : undefined
  const { access_token: header = [], authorization = [] } = request.raw.headersDistinct
  const bearer = authorization.map((text) => /^bearer +(\S+) *$/i.exec(text)?.[1])
  const presented = new Set(
    [parameter, header, bearer]
      .flat()
      .filter((text): text is string => typeof text === 'string' && text !== ''),
  )
  if (presented.size > 1) throw ambiguousToken()
  return presented.values().next().value
}
