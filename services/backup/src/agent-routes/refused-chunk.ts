import { clientAddress, RequestRefused } from '@palisade/platform'
import type { FastifyRequest } from 'fastify'
import { type ComputerId, domainOf } from '../computer-id.ts'
import type { BackupMetrics } from '../metrics/backup-metrics.ts'

/**
 * Says in log and metrics that an agent has sent a chunk which is not what its id names. Nobody who is honest does, unless memory or a
 * processor fails: the backup is not to be tried again.
 *
 * @returns what the agent is told
 */
export function refusedChunk(
  request: FastifyRequest<{ Params: { id: string } }>,
  computer: ComputerId,
  metrics: Pick<BackupMetrics, 'chunkRefused'>,
  err: Error,
): RequestRefused {
  metrics.chunkRefused()
  request.log.error(
    { err, computer: domainOf(computer), backup: request.params.id, address: clientAddress(request) },
    'an agent sent a chunk that is not what its id names, and it was not stored: the computer or its credential may be in other hands',
  )
  return new RequestRefused('bad-request', `${err.message}.`)
}
