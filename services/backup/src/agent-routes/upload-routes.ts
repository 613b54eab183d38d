import {
  agentPaths,
  CommitReply,
  idSizeBytes,
  patchedChunksMax,
  patchedEntrySizeBytes,
  setBit,
} from '@palisade/agent-protocol'
import { RequestRefused } from '@palisade/platform'
import { type BackupSession, ChunkList, isVaultFailure } from '@palisade/vault'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AgentAuthentication } from '../agents/agent-authentication.ts'
import type { ComputerId } from '../computer-id.ts'
import type { Computers } from '../computers/computers.ts'
import type { BackupMetrics } from '../metrics/backup-metrics.ts'
import { type CommitBody, chunkCountMax, readCommitBody } from '../revisions/commit-body.ts'
import type { Commits } from '../revisions/commits.ts'
import type { LiveProgress } from '../tasks/live-progress.ts'
import type { Tasks } from '../tasks/tasks.ts'
import type { Healing } from '../upkeep/healing.ts'
import type { BackupSessions } from '../vault/backup-sessions.ts'
import { acceptBinaryStreams, bytesOf } from './bodies.ts'
import { CommitMemory } from './commit-memory.ts'
import { OpenUploads } from './open-uploads.ts'
import { receiveChunks } from './receive-chunks.ts'
import { refusedChunk } from './refused-chunk.ts'
import { sessionOfBackup } from './session-of-backup.ts'
import { chunkBuffers, openUploadsMax, uploadSizeMaxBytes } from './upload-limits.ts'
import type { UploadsElsewhere } from './uploads-elsewhere.ts'
import { refuseVaultFailures, vaultTrouble } from './vault-failures.ts'

/** How many ids may be asked about at once. */
const idsMax = 65_536
/** The ids of the largest revision, and what is said of patched chunks. */
const idsSizeMaxBytes = chunkCountMax * idSizeBytes + patchedChunksMax * (patchedEntrySizeBytes + idSizeBytes)
/** The same, and what is said of it. */
const commitSizeMaxBytes = idsSizeMaxBytes + 128 * 1024
/** So that one computer alone does not keep all others waiting; ordinary revisions have a hundredth of it. */
const commitsSizeMaxBytes = 2 * idsSizeMaxBytes

interface BackupRoute {
  Params: { id: string }
}

/** How an agent hands in a backup: ask what is missing, upload that, commit. */
export function uploadRoutes(deps: {
  readonly authentication: AgentAuthentication
  readonly computers: Computers
  readonly tasks: Tasks
  readonly sessions: BackupSessions
  readonly commits: Commits
  readonly metrics: BackupMetrics
  readonly healing: Healing
  readonly progress: LiveProgress
  readonly uploadsElsewhere: UploadsElsewhere
  /** Of this vault. */
  readonly chunkSizeBytes: number
}) {
  const { authentication, computers, sessions, commits, metrics, healing, progress } = deps
  const { uploadsElsewhere, chunkSizeBytes } = deps
  const buffers = chunkBuffers(chunkSizeBytes)
  const commitMemory = new CommitMemory(commitsSizeMaxBytes)
  const openUploads = new OpenUploads(openUploadsMax)
  const options = { onRequest: authentication.check, schema: { hide: true } }

  const sessionOf = (request: FastifyRequest<BackupRoute>, computer: ComputerId) =>
    sessionOfBackup(deps, computer, request.params.id)

  /** How many packs were durable when the vault could not be written, by the backup that waits. */
  const packsAtFailure = new WeakMap<BackupSession, number>()

  /**
   * Writes to the vault for a backup; that it cannot be written is seen at the backup and in the metrics until a pack became durable:
   * what is only added to one costs no room yet.
   */
  async function storing<Result>(
    backupId: string,
    session: BackupSession,
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      const result = await work()
      if (session.durablePackCount > (packsAtFailure.get(session) ?? -1)) {
        packsAtFailure.delete(session)
        progress.goesOn(backupId)
      }
      metrics.vaultWritable(!progress.isAnyWaiting)
      return result
    } catch (error) {
      if (isVaultFailure(error, 'storage') || isVaultFailure(error, 'locked')) {
        packsAtFailure.set(session, session.durablePackCount)
        progress.waits(backupId, vaultTrouble(error))
        metrics.vaultWritable(false)
      }
      throw error
    }
  }

  return async (scope: FastifyInstance): Promise<void> => {
    acceptBinaryStreams(scope)
    refuseVaultFailures(scope)

    scope.post<BackupRoute>(agentPaths.missing(':id'), options, async (request, reply) => {
      const computer = authentication.senderOf(request)
      const session = await sessionOf(request, computer)
      const ids = await openUploads.during(computer, () =>
        readIds(request.body, authentication.signalOf(request)),
      )
      const bitmap = Buffer.alloc(Math.ceil(ids.length / 8))
      for (const position of session.missing(ids)) setBit(bitmap, position)
      return reply.type('application/octet-stream').send(bitmap)
    })

    scope.post<BackupRoute>(agentPaths.chunks(':id'), options, async (request, reply) => {
      const computer = authentication.senderOf(request)
      const session = await sessionOf(request, computer)
      const endToEnd = (await computers.endToEndKeyCheck(computer)) !== null
      const pieces = bytesOf(request.body, uploadSizeMaxBytes, authentication.signalOf(request))
      try {
        await openUploads.during(computer, () =>
          storing(request.params.id, session, async () => {
            await receiveChunks(pieces, session, buffers, endToEnd)
            // What has lost a pack acknowledges nothing that it may lose again: the agent waits here, and need not begin anew.
            if (packsAtFailure.has(session)) await session.flush()
          }),
        )
      } catch (error) {
        if (isVaultFailure(error, 'damaged')) throw refusedChunk(request, computer, metrics, error)
        throw error
      }
      return reply.code(204).send()
    })

    scope.post<BackupRoute>(
      agentPaths.commit(':id'),
      { ...options, schema: { hide: true, response: { 200: CommitReply } } },
      async (request) => {
        const computer = authentication.senderOf(request)
        const { id } = request.params
        const committedId = await commits.find(computer, id)
        if (committedId !== undefined) return { revisionId: committedId }
        const session = await sessionOf(request, computer)
        const pieces = bytesOf(request.body, commitSizeMaxBytes, authentication.signalOf(request))
        return commitMemory.during(computer, async (take) => {
          const body = await readCommitBody(pieces, take)
          await requireOwnKey(computer, body, computers)
          const revisionId = await storing(id, session, () =>
            commits.commit(computer, id, session, body),
          ).catch((error: unknown) => {
            const isUntold = isVaultFailure(error, 'chunk-missing') && uploadsElsewhere.mayBeUntold(id)
            throw isUntold ? chunksUntold() : error
          })
          uploadsElsewhere.forget(id)
          // An agent that is killed before it says so does the backup again, and needs a session that has not ended.
          await sessions.end(id)
          healing.lookAgain(computer)
          return { revisionId }
        })
      },
    )
  }
}

/**
 * A computer whose backups are sealed with a key of its own has no others, so that an agent that was set up anew without
 * the key does not put into the vault's hands what was to be kept from them.
 *
 * @throws RequestRefused bad-request
 */
async function requireOwnKey(computer: ComputerId, { metadata }: CommitBody, computers: Computers) {
  const { keyCheck } = metadata.endToEnd ?? {}
  const lookup =
    keyCheck !== undefined && (await computers.noteEndToEndKey(computer, keyCheck))
      ? keyCheck
      : await computers.endToEndKeyCheck(computer)
  if (lookup === (keyCheck ?? null)) return
  throw new RequestRefused(
    'bad-request',
    'The backups of this computer are sealed end to end, with another key than this one.',
  )
}

/** The agent asks again, and need not read everything anew for what another server is about to tell. */
function chunksUntold(): RequestRefused {
  return new RequestRefused('unavailable', 'Another server has chunks of this backup on their way.', {
    headers: { 'retry-after': '2' },
  })
}

async function readIds(body: unknown, signal: AbortSignal): Promise<ChunkList> {
  const bytes = Buffer.concat(await Array.fromAsync(bytesOf(body, idsMax * idSizeBytes, signal)))
  if (bytes.length % idSizeBytes !== 0) {
    throw new RequestRefused('bad-request', `The body must be ids of ${idSizeBytes} bytes each.`)
  }
  return new ChunkList(bytes)
}
