import { agentPaths, setBit } from '@palisade/agent-protocol'
import { RequestRefused } from '@palisade/platform'
import { allocateAligned, isVaultFailure, type RevisionReader } from '@palisade/vault'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AgentAuthentication } from '../agents/agent-authentication.ts'
import type { Damage } from '../revisions/damage.ts'
import type { Tasks } from '../tasks/tasks.ts'
import type { OpenRevisions } from '../vault/open-revisions.ts'
import { BufferPool } from './buffer-pool.ts'
import { OpenDownloads } from './open-downloads.ts'
import { readRange } from './read-range.ts'
import { beginChunks, ClientDisconnected } from './send-chunks.ts'
import { refuseVaultFailures } from './vault-failures.ts'

/** What is read and sent at once; by measurement larger reads gain nothing. */
const runMaxBytes = 4 * 1024 * 1024
/** Room for a run from wherever in a page it begins, in memory that comes in pieces of this size. */
const runBufferBytes = runMaxBytes + 64 * 1024
/** An agent fetches with 16 threads, two jobs each, and a machine that was started at once reads beside them. */
const openDownloadsMax = 64
/** Buffers that are kept between replies; each reply needs as many as it reads loads at a time. */
const spareBuffersMax = 8

interface RevisionRoute {
  Params: { id: string; revisionId: string }
  Querystring: Record<string, unknown>
}

/** How an agent fetches the revisions of a restore. */
export function downloadRoutes(deps: {
  readonly authentication: AgentAuthentication
  readonly tasks: Tasks
  readonly openRevisions: OpenRevisions
  readonly damage: Damage
}) {
  const { authentication, tasks, openRevisions, damage } = deps
  const openDownloads = new OpenDownloads(openDownloadsMax)
  const buffers = new BufferPool(runBufferBytes, spareBuffersMax, allocateAligned)
  const options = { onRequest: authentication.check, schema: { hide: true } }

  /** @throws RequestRefused not-found when the restore is not this computer's, has ended, or is of other revisions */
  async function readerOf(request: FastifyRequest<RevisionRoute>): Promise<RevisionReader> {
    const computer = authentication.senderOf(request)
    const restore = await tasks.findRestore(computer, request.params.id)
    const chosenRevision = restore?.request.revisions.find(
      ({ revisionId }) => String(revisionId) === request.params.revisionId,
    )
    if (!restore || restore.endedAt !== null || !chosenRevision) {
      throw new RequestRefused('not-found', 'There is no such unfinished restore of this revision.')
    }
    return openRevisions.reader(computer, restore.id, chosenRevision.revisionId)
  }

  /** Does something that reads a revision; damage that is met is not forgotten. */
  async function reading<Result>(
    request: FastifyRequest<RevisionRoute>,
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      if (isVaultFailure(error, 'damaged') || isVaultFailure(error, 'chunk-missing')) {
        await damage.found(authentication.senderOf(request), {
          finder: 'download',
          message: error.message,
          revisions: [Number(request.params.revisionId)],
        })
      }
      throw error
    }
  }

  return async (scope: FastifyInstance): Promise<void> => {
    refuseVaultFailures(scope)

    scope.get<RevisionRoute>(agentPaths.presence(':id', ':revisionId'), options, async (request, reply) => {
      const { count, stored } = (await reading(request, () => readerOf(request))).content
      const bitmap = Buffer.alloc(Math.ceil(count / 8))
      for (let position = 0; position < count; position++) {
        if (!stored.isZero(position)) setBit(bitmap, position)
      }
      return reply.type('application/octet-stream').send(bitmap)
    })

    scope.get<RevisionRoute>(
      agentPaths.revisionChunks(':id', ':revisionId'),
      options,
      async (request, reply) => {
        const chunks = await reading(request, async () => {
          const reader = await readerOf(request)
          const range = readRange(request.query, reader.content.count)
          return beginChunks(reader, range, runMaxBytes, buffers)
        })
        reply.hijack()
        reply.raw.writeHead(200, {
          'content-type': 'application/octet-stream',
          'content-length': chunks.sizeBytes,
        })
        const signal = authentication.signalOf(request)
        const cut = () => reply.raw.destroy()
        const download = openDownloads.begin(authentication.senderOf(request), cut)
        signal.addEventListener('abort', cut)
        try {
          signal.throwIfAborted()
          await reading(request, () => chunks.send(reply.raw, download.goesOn))
          reply.raw.end()
        } catch (err) {
          const isOver = err instanceof ClientDisconnected || reply.raw.destroyed || signal.aborted
          if (!isOver) request.log.error({ err }, 'chunks of a revision could not be read')
          reply.raw.destroy()
        } finally {
          signal.removeEventListener('abort', cut)
          download.ended()
        }
      },
    )
  }
}
