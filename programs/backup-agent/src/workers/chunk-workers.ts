import { Worker } from 'node:worker_threads'
import { taskFailures } from '@palisade/agent-protocol/wire'
import { AlignedBuffers } from '../chunks/aligned-buffers.ts'
import { TaskFailure } from '../failure.ts'
import type { JobRange, SessionSpec, WorkerSession } from '../sessions/session.ts'
import type { FromWorker, ToWorker } from './messages.ts'
import { openSession } from './open-session.ts'
import { fromWire } from './wire-error.ts'
import { limitsFor, thisComputer, threadsFor, threadsMin, type WorkerLimits } from './worker-limits.ts'

/** While one job of a session waits for the network, another one keeps the thread busy. */
const jobsPerThread = 2
/** How many jobs of little work are under way in the main thread. */
const jobsInThisThread = 4
/** Threads that have been idle for so long are ended, to give back their memory. */
const idleMaxMs = 10_000

/**
 * Workers move large buffers and make few small objects. With the usual room for young objects, 48 MiB a thread,
 * they would let dead buffers lie about for longer than the agent's memory allows.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 2 }

interface RunningJob {
  resolve(ids: Uint8Array): void
  reject(error: Error): void
}

/** One thread, and the jobs it has. */
class ChunkWorker {
  readonly #thread: Worker
  readonly #jobs = new Map<number, RunningJob>()
  #lastJobNumber = 0

  /** @param onExit is told when the thread is gone, however that came */
  constructor(onExit: () => void) {
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    this.#thread = new Worker(new URL(`./chunk-worker.${extension}`, import.meta.url), { resourceLimits })
    this.#thread.on('message', (message: FromWorker) => this.#take(message))
    this.#thread.on('error', (error) => this.#failAll(error))
    this.#thread.on('exit', () => {
      this.#failAll(new TaskFailure(taskFailures.internal, 'a worker of the agent ended'))
      onExit()
    })
  }

  tell(message: ToWorker): void {
    this.#thread.postMessage(message)
  }

  open(session: number, spec: SessionSpec): WorkerSession {
    this.tell({ type: 'open', session, spec })
    return {
      run: (range) => this.#run(session, range),
      close: () => this.tell({ type: 'close', session }),
    }
  }

  async stop(): Promise<void> {
    await this.#thread.terminate()
  }

  #run(session: number, range: JobRange): Promise<Uint8Array> {
    this.#lastJobNumber++
    const jobNumber = this.#lastJobNumber
    return new Promise((resolve, reject) => {
      this.#jobs.set(jobNumber, { resolve, reject })
      this.tell({ type: 'run', session, jobNumber, range })
    })
  }

  #take(message: FromWorker): void {
    const job = this.#jobs.get(message.jobNumber)
    this.#jobs.delete(message.jobNumber)
    if ('ids' in message) job?.resolve(message.ids)
    else job?.reject(fromWire(message.error))
  }

  #failAll(error: Error): void {
    for (const job of this.#jobs.values()) job.reject(error)
    this.#jobs.clear()
  }
}

/** The agent's worker threads, shared by all tasks. They are started when work comes and ended when it stays away. */
export class ChunkWorkers {
  #workers: ChunkWorker[] = []
  #lastSession = 0
  #openSessions = 0
  #idleTimer: NodeJS.Timeout | undefined
  #kind: SessionSpec['kind'] | undefined
  /** Of the work that is done in this thread. */
  #buffers = new AlignedBuffers()
  readonly #limits: WorkerLimits

  constructor(limits: WorkerLimits = limitsFor(thisComputer())) {
    this.#limits = limits
  }

  /** How many ranges of one piece of work in threads are under way at most, from being begun to being done with. */
  rangesMax(chunkSizeBytes: number): number {
    return this.#threadCount(chunkSizeBytes) * jobsPerThread
  }

  /**
   * Does one kind of work over many ranges of chunks, several at a time.
   *
   * The first failure, or the signal, ends it: what is under way is stopped and waited for before this rejects,
   * so that afterwards no thread touches the files of the session.
   *
   * Ranges are taken in their order, at most {@link rangesMax} at a time.
   *
   * @param onDone is called with each range and the ids of its chunks, in any order; the next range is begun when
   *   it resolves
   * @param inThisThread for little work, of chunks that take no long time each: it is done before threads would have started
   * @param onFailure is told of the first failure at once: whoever keeps `onDone` waiting for a range that now never comes must
   *   let it go
   */
  async each<Range extends JobRange>(
    spec: SessionSpec,
    ranges: Iterable<Range> | AsyncIterable<Range>,
    options: {
      readonly signal: AbortSignal
      readonly inThisThread?: boolean
      readonly onDone?: (range: Range, ids: Uint8Array) => Promise<void>
      readonly onFailure?: (error: unknown) => void
    },
  ): Promise<void> {
    const { signal, inThisThread, onDone, onFailure } = options
    const failure = new AbortController()
    const fail = (error: unknown) => {
      failure.abort(error)
      onFailure?.(error)
    }
    const either = AbortSignal.any([signal, failure.signal])
    const queue = Symbol.asyncIterator in ranges ? ranges[Symbol.asyncIterator]() : ranges[Symbol.iterator]()
    const takeFirst = async () => queue.next()
    const first = await takeFirst().catch(fail)
    either.throwIfAborted()
    // Where there is nothing to do, as in a backup of what was not changed, no thread is started for it.
    if (first === undefined || first.done === true) return

    const sessions = inThisThread ? [await this.#openHere(spec)] : this.#openInThreads(spec)
    let isOpen = true
    const close = () => {
      if (isOpen) for (const session of sessions) session.close()
      isOpen = false
    }
    either.addEventListener('abort', close)
    const waiting = [first]
    const drain = async (session: WorkerSession) => {
      for (;;) {
        const next = waiting.pop() ?? (await queue.next())
        if (next.done === true || either.aborted) return
        const ids = await session.run(next.value)
        await onDone?.(next.value, ids)
      }
    }
    const jobsEach = inThisThread ? jobsInThisThread : jobsPerThread
    const lanes = sessions.flatMap((session) => Array.from({ length: jobsEach }, () => drain(session)))
    try {
      await Promise.all(lanes.map((lane) => lane.catch(fail)))
      either.throwIfAborted()
    } finally {
      either.removeEventListener('abort', close)
      close()
      this.#giveBack()
    }
  }

  /** Starts the first threads for a kind of work that is sure to come soon; how many it takes is known with its chunks. */
  prepare(kind: SessionSpec['kind']): void {
    for (const worker of this.#take(kind, Math.min(threadsMin, this.#limits.threads)))
      worker.tell({ type: 'prepare', kind })
    this.#giveBack()
  }

  async stop(): Promise<void> {
    clearTimeout(this.#idleTimer)
    const workers = this.#workers
    this.#workers = []
    this.#buffers = new AlignedBuffers()
    await Promise.all(workers.map((worker) => worker.stop()))
  }

  async #openHere(spec: SessionSpec): Promise<WorkerSession> {
    clearTimeout(this.#idleTimer)
    this.#openSessions++
    try {
      return await openSession(spec, this.#buffers)
    } catch (error) {
      this.#giveBack()
      throw error
    }
  }

  #openInThreads(spec: SessionSpec): readonly WorkerSession[] {
    this.#lastSession++
    const number = this.#lastSession
    return this.#take(spec.kind, this.#threadCount(spec.geometry.chunkSizeBytes)).map((worker) =>
      worker.open(number, spec),
    )
  }

  #threadCount(chunkSizeBytes: number): number {
    return threadsFor(this.#limits, chunkSizeBytes, jobsPerThread)
  }

  #take(kind: SessionSpec['kind'], count: number): readonly ChunkWorker[] {
    clearTimeout(this.#idleTimer)
    // The large buffers of a backup would stay beside the small ones of a restore.
    if (this.#openSessions === 0 && this.#kind !== kind) void this.stop()
    this.#kind = kind
    this.#openSessions++
    while (this.#workers.length < count) this.#workers.push(this.#start())
    return this.#workers.slice(0, count)
  }

  #start(): ChunkWorker {
    const worker: ChunkWorker = new ChunkWorker(() => {
      this.#workers = this.#workers.filter((other) => other !== worker)
    })
    return worker
  }

  #giveBack(): void {
    this.#openSessions--
    if (this.#openSessions > 0) return
    this.#idleTimer = setTimeout(() => this.stop(), idleMaxMs)
    this.#idleTimer.unref()
  }
}
