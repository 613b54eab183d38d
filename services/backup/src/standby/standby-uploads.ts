/**
 * What a server that stands by does with the chunks of backups, so that they do not all go through the server that has the vault:
 *
 *     POST chunks   ask the active server for leave ──► put them into packs of the storage, each verified
 *     pack durable  tell the active server, which reads its table and counts on it from then on
 *     POST commit   have the packs of that backup told of, and pass the commit on
 *
 * A chunk that is acknowledged here is stored when its pack was told of, as one that the active server acknowledges is when it was
 * flushed. What is never told of is missing at the commit: the agent reads anew, and sends what is not there.
 *
 * Whatever goes wrong has chunks passed on as all else is, to the active server, which answers as it does without this one.
 */
import { agentPaths } from '@palisade/agent-protocol'
import {
  type Clock,
  type Log,
  markAuthenticated,
  RequestRefused,
  type ServiceMetrics,
} from '@palisade/platform'
import { type Contribution, isVaultFailure, type PackContributor } from '@palisade/vault'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { acceptBinaryStreams, bytesOf } from '../agent-routes/bodies.ts'
import type { BufferPool } from '../agent-routes/buffer-pool.ts'
import { OpenUploads } from '../agent-routes/open-uploads.ts'
import { receiveChunks } from '../agent-routes/receive-chunks.ts'
import { refusedChunk } from '../agent-routes/refused-chunk.ts'
import { relayedHeader } from '../agent-routes/server-calls.ts'
import { chunkBuffers, openUploadsMax, uploadSizeMaxBytes } from '../agent-routes/upload-limits.ts'
import { refuseVaultFailures } from '../agent-routes/vault-failures.ts'
import { domainOf } from '../computer-id.ts'
import { type BackupMetrics, backupMetrics } from '../metrics/backup-metrics.ts'
import { openServiceContributor } from '../vault/open-service-vault.ts'
import type { VaultConfiguration } from '../vault/vault-configuration.ts'
import { ActiveCalls, type CallActive, type UploadLeave } from './active-calls.ts'

/** Each backup fills a pack, in memory as far as it is not sent yet. */
const backupsMax = 64
/** A pack that nothing is added to is finished after so long. */
const idleMs = 2_000
/** After something went wrong, chunks are passed on for so long. */
const passOnMs = 60_000

/** A backup whose chunks are stored here. */
interface StandbyBackup {
  readonly contribution: Contribution
  /** The header with the credential that its agent was let in with last. */
  authorization: string
  uploads: number
  idleTimer: NodeJS.Timeout | undefined
}

/** An upload that may be stored here. */
interface Admitted {
  readonly leave: UploadLeave
  readonly authorization: string
  readonly active: ActiveCalls
  readonly writing: Writing
  /** Aborted when the active server is another one. */
  readonly signal: AbortSignal
}

/** What packs are written with. */
interface Writing {
  readonly contributor: PackContributor
  readonly buffers: BufferPool
}

interface UploadRoute {
  Params: { id: string }
}

/** Has the active server answer a request, as if it had been sent there. */
export type PassOn = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

interface StandbyDependencies {
  readonly configuration: VaultConfiguration | undefined
  readonly dataDirectory: string
  /** Of the installation. */
  readonly key: Buffer
  readonly clock: Clock
  readonly metrics: ServiceMetrics
  readonly log: Log
}

/** Stores chunks of backups while another server has the vault. */
export class StandbyUploads {
  readonly #deps: StandbyDependencies
  readonly #metrics: BackupMetrics
  readonly #openUploads = new OpenUploads(openUploadsMax)
  readonly #admitted = new WeakMap<FastifyRequest, Admitted>()
  readonly #backups = new Map<string, StandbyBackup>()
  /** Backups that something went wrong with, and until when their chunks are passed on. */
  readonly #passedOnUntil = new Map<string, number>()
  #active: ActiveCalls | undefined
  /** Aborted when the active server is another one. */
  #serving = new AbortController()
  #opening: Promise<Writing> | undefined
  #openAgainAt = 0

  constructor(deps: StandbyDependencies) {
    this.#deps = deps
    this.#metrics = backupMetrics(deps.metrics)
  }

  /** From now on this server is active; undefined where none is known that takes packs. What was stored for another one is left to it. */
  use(call: CallActive | undefined): void {
    this.#serving.abort(new RequestRefused('unavailable', 'Another server has the backups now.'))
    this.#serving = new AbortController()
    this.#active = call && new ActiveCalls(call, this.#deps.key)
    this.#passedOnUntil.clear()
    for (const id of [...this.#backups.keys()]) this.#giveUp(id)
  }

  /** Has told of everything that was acknowledged, as far as that is possible, and stores nothing more. */
  async finish(): Promise<void> {
    const contributions = [...this.#backups.values()].map(({ contribution }) => contribution)
    await Promise.allSettled(contributions.map((contribution) => contribution.flush()))
    this.use(undefined)
    const writing = await this.#opening?.catch(() => undefined)
    await writing?.contributor.close()
  }

  /** Receives chunks, and notices commits. */
  routes(passOn: PassOn) {
    return async (scope: FastifyInstance): Promise<void> => {
      acceptBinaryStreams(scope)
      refuseVaultFailures(scope)

      const admit = async (request: FastifyRequest<UploadRoute>, reply: FastifyReply) => {
        const admitted = await this.#admit(request).catch((err: unknown) => {
          this.#deps.log.debug({ err }, 'the active server could not be asked for leave')
          return undefined
        })
        if (admitted === undefined) return passOn(request, reply)
        markAuthenticated(request)
        this.#admitted.set(request, admitted)
      }
      scope.post<UploadRoute>(
        agentPaths.chunks(':id'),
        { onRequest: admit, schema: { hide: true } },
        async (request, reply) => {
          await this.#receive(request)
          return reply.code(204).send()
        },
      )

      const tellBefore = async (request: FastifyRequest<UploadRoute>, reply: FastifyReply) => {
        await this.#tellOf(request.params.id, request.headers.authorization)
        return passOn(request, reply)
      }
      scope.post<UploadRoute>(
        agentPaths.commit(':id'),
        { onRequest: tellBefore, schema: { hide: true } },
        () => undefined,
      )
    }
  }

  /** @returns undefined when the upload is to be passed on */
  async #admit({ params: { id }, headers }: FastifyRequest<UploadRoute>): Promise<Admitted | undefined> {
    const { authorization } = headers
    const [active, { signal }] = [this.#active, this.#serving]
    if (active === undefined || authorization === undefined || headers[relayedHeader] !== undefined) {
      return undefined
    }
    if (this.#isPassedOn(id) || (this.#backups.size >= backupsMax && !this.#backups.has(id))) return undefined
    const writing = await this.#open()
    if (writing === undefined) return undefined
    const leave = await active.leave(id, authorization)
    if (leave === undefined) return undefined
    if (leave.vault === writing.contributor.vaultId) return { leave, authorization, active, writing, signal }
    this.#deps.log.warn('backup.vault names another vault than the active server has: chunks are passed on')
    this.#openAgainAt = this.#deps.clock.now() + passOnMs
    return undefined
  }

  /** What is stored for a backup; begun with the first upload, and after it was idle. */
  #backupOf(id: string, { leave, authorization, active, writing }: Admitted): StandbyBackup {
    const former = this.#backups.get(id)
    if (former) {
      former.authorization = authorization
      return former
    }
    const contribution = writing.contributor.contribute(domainOf(leave), async (packId) => {
      const isTaken = await active.tell(id, packId, backup.authorization)
      this.#metrics.packStored(isTaken ? 'taken' : 'lost')
      if (!isTaken) this.#passOnFor(id, 'the active server does not count on a pack that was stored here')
      return isTaken
    })
    const backup: StandbyBackup = { contribution, authorization, uploads: 0, idleTimer: undefined }
    this.#backups.set(id, backup)
    return backup
  }

  async #receive(request: FastifyRequest<UploadRoute>): Promise<void> {
    const admitted = this.#admitted.get(request)
    if (!admitted) throw new Error('an upload was not admitted')
    const { leave, signal, writing } = admitted
    signal.throwIfAborted()
    const { id } = request.params
    const backup = this.#backupOf(id, admitted)
    const pieces = bytesOf(request.body, uploadSizeMaxBytes, signal)
    clearTimeout(backup.idleTimer)
    backup.uploads++
    try {
      await this.#openUploads.during(leave, () =>
        receiveChunks(pieces, backup.contribution, writing.buffers, leave.endToEnd),
      )
    } catch (error) {
      if (isVaultFailure(error, 'damaged')) throw refusedChunk(request, leave, this.#metrics, error)
      if (isVaultFailure(error)) this.#passOnFor(id, error.message)
      throw error
    } finally {
      backup.uploads--
      if (backup.uploads === 0) this.#finishWhenIdle(id, backup)
    }
  }

  #finishWhenIdle(id: string, backup: StandbyBackup): void {
    if (this.#backups.get(id) !== backup) return
    clearTimeout(backup.idleTimer)
    backup.idleTimer = setTimeout(() => {
      void this.#tell(id, backup).then(() => {
        if (backup.uploads === 0 && this.#backups.get(id) === backup) this.#backups.delete(id)
      })
    }, idleMs).unref()
  }

  /** A stranger who names a backup has nothing stored by that. */
  async #tellOf(id: string, authorization: string | undefined): Promise<void> {
    const backup = this.#backups.get(id)
    if (backup && backup.authorization === authorization) await this.#tell(id, backup)
  }

  /** Has the active server told of all that was acknowledged. What it does not count on is missing at the commit. */
  async #tell(id: string, { contribution }: StandbyBackup): Promise<void> {
    try {
      await contribution.flush()
    } catch (error) {
      this.#passOnFor(id, error instanceof Error ? error.message : String(error))
    }
  }

  #isPassedOn(id: string): boolean {
    const until = this.#passedOnUntil.get(id)
    if (until === undefined) return false
    if (this.#deps.clock.now() < until) return true
    this.#passedOnUntil.delete(id)
    return false
  }

  #passOnFor(id: string, why: string): void {
    if (this.#isPassedOn(id)) return
    this.#deps.log.warn(
      { backup: id, why },
      'chunks of a backup could not be stored here: they are passed on',
    )
    this.#passedOnUntil.set(id, this.#deps.clock.now() + passOnMs)
  }

  #giveUp(id: string): void {
    const backup = this.#backups.get(id)
    this.#backups.delete(id)
    clearTimeout(backup?.idleTimer)
    // What cannot be given up is removed when the vault is opened.
    backup?.contribution.giveUp().catch(() => undefined)
  }

  /** @returns undefined when the vault cannot be written from here at present */
  async #open(): Promise<Writing | undefined> {
    const { clock, log } = this.#deps
    if (clock.now() < this.#openAgainAt) return undefined
    this.#opening ??= this.#openContributor()
    try {
      return await this.#opening
    } catch (err) {
      if (this.#opening === undefined) return undefined
      this.#opening = undefined
      this.#openAgainAt = clock.now() + passOnMs
      log.warn({ err }, 'the vault cannot be written from this server: chunks are passed on')
      return undefined
    }
  }

  async #openContributor(): Promise<Writing> {
    const contributor = await openServiceContributor(this.#deps)
    return { contributor, buffers: chunkBuffers(contributor.chunkSizeBytes) }
  }
}
