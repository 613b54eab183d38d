/**
 * Lets programs of this computer read revisions as disks, without restoring them:
 *
 *     plan ──> serving ───────────────────────────────────────────> done
 *      │        vault ──> InstantDisk, ChunkCache ──> NbdServer      when it is cancelled, or nobody
 *      │                                               └─ a socket    has been connected for a minute
 *      └ which chunks are stored
 *
 * Nothing is written, so that there is nothing to take back: an agent that was killed leaves a socket on which nobody listens, and the next
 * start removes it.
 */
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Outcome, ServedDisks, ServerMessage } from '@palisade/agent-protocol'
import { failureMessageLengthMax, taskFailures } from '@palisade/agent-protocol/wire'
import { describe } from '@palisade/start-up'
import { rangeLength } from '../chunks/chunk-range.ts'
import { storedSizeBytes } from '../disk-layout/stored-extents.ts'
import { findStoredVolume, type StoredVolume } from '../disk-layout/stored-volume.ts'
import { keysForRestore } from '../end-to-end/task-keys.ts'
import { TaskFailure } from '../failure.ts'
import { fetchForReading } from '../instant/fetch-for-reading.ts'
import { type FetchRange, InstantDisk } from '../instant/instant-disk.ts'
import { NbdServer } from '../instant/nbd-server.ts'
import { isStopping, type TaskContext } from '../tasks/task-context.ts'

/** The server's message: which revisions are to be read. */
export type ServingRequest = Extract<ServerMessage, { type: 'serve-disks' }>

/** What disks are served with. */
export interface ServingContext extends TaskContext {
  /** Told as soon as the disks can be read, and now and then when some reads have failed. */
  onServed(served: ServedDisks): void
}

/** All disks of one restore together keep so much of what was fetched. */
const cacheBytesMax = 32 * 1024 * 1024
const chunksAheadMax = 8
/** Whoever reads a file rather hears that it cannot be read now than nothing for ten minutes. */
const readPatienceMs = 60_000
/** Time enough between two programs that are started one after another. */
const unusedMaxMs = 60_000
const pollMs = 500
/** `sun_path` of Linux (unix(7)) has 108 bytes, with the zero at its end. */
const socketPathBytesMax = 107

/**
 * Serves the volume of each revision, by the name of `revision-` and its id, until the restore is cancelled, which is how it ends well, or until
 * nobody has been connected for a minute.
 *
 * @throws TaskFailure when a revision cannot be read, or this agent has not its key; the signal's reason when the agent stops
 */
export async function serveDisks(
  { id, revisions }: ServingRequest,
  context: ServingContext,
): Promise<Outcome> {
  const { progress, signal, workDirectory, retryPolicy } = context
  progress.begin('plan', 0)
  const keys = await keysForRestore(revisions, context)
  const volumes: StoredVolume[] = []
  for (const revision of revisions) volumes.push(await findStoredVolume(id, revision, context))

  const storedBytes = volumes.reduce(
    (sum, { presence, geometry }) => sum + storedSizeBytes(presence, geometry),
    0,
  )
  const fetchedBytes = progress.begin('serving', storedBytes)
  const patience = { ...retryPolicy, giveUpAfterMs: Math.min(readPatienceMs, retryPolicy.giveUpAfterMs) }
  const fetch = counting(fetchForReading(id, keys, { ...context, retryPolicy: patience }), fetchedBytes)
  const disks = new Map(
    volumes.map((volume) => [
      `revision-${volume.revision.revisionId}`,
      diskOf(volume, fetch, Math.floor(cacheBytesMax / volumes.length)),
    ]),
  )
  const socketPath = socketPathFor(id, workDirectory)
  const served = new ServedReport(socketPath, context)
  const server = await NbdServer.listen(socketPath, disks, (error) => served.failed(error))
  try {
    served.tell()
    await untilUnused(server, signal, () => served.tellFailures())
  } finally {
    await server.close()
    await rm(socketPath, { force: true })
  }
  if (isStopping(signal)) throw signal.reason
  return { state: 'SUCCESS' }
}

/** What is said of disks while they are served. */
class ServedReport {
  readonly #socketPath: string
  readonly #context: ServingContext
  #failures = 0
  #failuresTold = 0
  #lastFailure: string | undefined

  constructor(socketPath: string, context: ServingContext) {
    this.#socketPath = socketPath
    this.#context = context
  }

  failed(error: unknown): void {
    const message = describe(error).slice(0, failureMessageLengthMax)
    if (message !== this.#lastFailure) this.#context.log.warn(`a served disk could not be read: ${message}`)
    this.#failures++
    this.#lastFailure = message
  }

  /** Says that there are more failures, when there are. */
  tellFailures(): void {
    if (this.#failures !== this.#failuresTold) this.tell()
  }

  tell(): void {
    this.#failuresTold = this.#failures
    const lastFailure = this.#lastFailure === undefined ? {} : { lastFailure: this.#lastFailure }
    this.#context.onServed({ socketPath: this.#socketPath, failures: this.#failures, ...lastFailure })
  }
}

function counting(fetch: FetchRange, counter: BigInt64Array): FetchRange {
  return async (volume, range) => {
    const bytes = await fetch(volume, range)
    Atomics.add(counter, 0, BigInt(rangeLength(volume.geometry, range)))
    return bytes
  }
}

/** The volume alone, without a partition table around it. */
function diskOf(volume: StoredVolume, fetch: FetchRange, cacheMax: number): InstantDisk {
  const placed = { ...volume, partitionOffsetBytes: 0, roomBehindBytes: 0, patches: [] }
  const content = { virtualSizeBytes: volume.geometry.volumeSizeBytes, volumes: [placed], regions: [] }
  return new InstantDisk(content, fetch, { cacheBytesMax: cacheMax, chunksAheadMax })
}

/** @throws TaskFailure when the system has no socket with a path as long as that */
function socketPathFor(id: string, workDirectory: string): string {
  const socketPath = join(resolve(workDirectory), `${id.slice(0, 8)}.sock`)
  if (Buffer.byteLength(socketPath) <= socketPathBytesMax) return socketPath
  const message = `the state directory has too long a path for a socket in it: ${socketPath} has more than ${socketPathBytesMax} bytes`
  throw new TaskFailure(taskFailures.internal, message)
}

/** Resolves when the signal is aborted, or nobody has been connected for long enough. */
async function untilUnused(server: NbdServer, signal: AbortSignal, look: () => void): Promise<void> {
  let usedAtMs = performance.now()
  while (!signal.aborted && performance.now() - usedAtMs < unusedMaxMs) {
    if (server.clientCount > 0) usedAtMs = performance.now()
    look()
    // Aborted while it waits: the loop sees it.
    await delay(pollMs, undefined, { signal }).catch(() => {})
  }
}
