import {
  protocolHeader,
  protocolVersions,
  readProtocolVersions,
  sharedVersion,
  whyNoSharedVersion,
  writeProtocolVersions,
} from '@palisade/agent-protocol'
import { RequestRefused } from '@palisade/platform'
import type { FastifyRequest } from 'fastify'
import { NoSharedVersion } from '../envelope.ts'

/** What the service says of the versions that it speaks. */
export const ownVersions = { [protocolHeader]: writeProtocolVersions(protocolVersions) }

/**
 * The version of the protocol that the agent which has sent a request and this service use.
 *
 * @throws RequestRefused when the agent says none that can be read
 * @throws NoSharedVersion when there is none; the reason is logged too
 */
export function versionFor(request: FastifyRequest): number {
  const header = request.headers[protocolHeader]
  const agent = readProtocolVersions(Array.isArray(header) ? header.join() : header)
  if (!agent) {
    throw new RequestRefused(
      'bad-request',
      `The header ${protocolHeader} is a version, such as "2;oldest=1".`,
    )
  }
  const version = sharedVersion(agent, protocolVersions)
  if (version !== undefined) return version
  const why = whyNoSharedVersion(agent, protocolVersions)
  request.log.warn(`an agent is refused: ${why}`)
  throw new NoSharedVersion(`${why[0]?.toUpperCase()}${why.slice(1)}.`, ownVersions)
}
