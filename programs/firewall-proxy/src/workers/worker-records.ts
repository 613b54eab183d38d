import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '@palisade/log'
import { describe, makeFolder } from '@palisade/start-up'
import { bootId, startOf } from './process-status.ts'

/** A worker that is asked to end has so long, in milliseconds: a little more than its requests under way have. */
export const endMaxMs = 8_500

/** How often is looked whether they have ended. */
const lookMs = 50

/** A process of this run of the machine. */
interface ProcessRecord {
  readonly pid: number
  /** See {@link startOf}. */
  readonly start: string
}

/** What a file says: a worker, and the primary process that started it. */
interface WorkerRecord {
  readonly boot: string
  readonly worker: ProcessRecord
  readonly primary: ProcessRecord
}

/**
 * Which workers a proxy has, one file each in the folder of its state, so that the next primary process finds those that one which was
 * killed has left behind. Linux only: elsewhere workers end with their primary process, and nothing is written.
 */
export class WorkerRecords {
  readonly #folder: string
  readonly #boot = bootId()
  readonly #primary = recordOf(process.pid)
  /** Those that are being ended: who is asked twice ends without its requests. */
  readonly #ending = new Map<number, Promise<void>>()

  readonly #log: Log

  /** @param stateDirectory made when it is not there */
  constructor(stateDirectory: string, log: Log) {
    this.#log = log
    this.#folder = join(makeFolder(stateDirectory, 'stateDirectory'), 'workers')
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
  }

  /** A worker was started. Where that cannot be written, it ends by itself when it is left behind, and is not ended before. */
  add(pid: number): void {
    const worker = recordOf(pid)
    if (this.#boot === undefined || this.#primary === undefined || worker === undefined) return
    const record: WorkerRecord = { boot: this.#boot, worker, primary: this.#primary }
    try {
      writeFileSync(this.#fileOf(pid), JSON.stringify(record), { mode: 0o600 })
    } catch (error) {
      this.#log.warn({ reason: describe(error), workerPid: pid }, 'a worker cannot be written down')
    }
  }

  /** It has ended. */
  delete(pid: number): void {
    rmSync(this.#fileOf(pid), { force: true })
  }

  /**
   * Ends the workers whose primary process is gone: asks them first, and kills those that do not end in time. Ends when there are none.
   * Those of a primary process that runs are left alone.
   */
  async endOrphans(): Promise<void> {
    for (const pid of this.#orphans()) {
      if (!this.#ending.has(pid)) this.#ending.set(pid, this.#end(pid))
    }
    await Promise.all(this.#ending.values())
  }

  #orphans(): number[] {
    return readdirSync(this.#folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => Number(name.slice(0, -'.json'.length)))
      .filter((pid) => {
        const record = this.#read(pid)
        if (record !== undefined && this.#runs(record, record.primary)) return false
        if (record !== undefined && this.#runs(record, record.worker)) return true
        this.delete(pid)
        return false
      })
  }

  async #end(pid: number): Promise<void> {
    const record = this.#read(pid)
    if (record === undefined) return
    const runs = () => this.#runs(record, record.worker)
    const deadline = performance.now() + endMaxMs
    try {
      process.kill(pid, 'SIGTERM')
      while (runs() && performance.now() < deadline) await pause(lookMs)
      const isKilled = runs()
      if (isKilled) process.kill(pid, 'SIGKILL')
      while (runs()) await pause(lookMs)
      this.#log.info({ workerPid: pid, isKilled }, 'a worker of a primary process that is gone has ended')
    } catch (error) {
      if (runs()) {
        this.#log.error(
          { err: error, workerPid: pid },
          'a worker of a primary process that is gone cannot be ended',
        )
        return
      }
    }
    this.delete(pid)
  }

  #runs({ boot }: WorkerRecord, { pid, start }: ProcessRecord): boolean {
    return boot === this.#boot && startOf(pid) === start
  }

  /** Undefined when the file is gone, or was not written to its end. */
  #read(pid: number): WorkerRecord | undefined {
    try {
      return JSON.parse(readFileSync(this.#fileOf(pid), 'utf8')) as WorkerRecord
    } catch {
      return undefined
    }
  }

  #fileOf(pid: number): string {
    return join(this.#folder, `${pid}.json`)
  }
}

function recordOf(pid: number): ProcessRecord | undefined {
  const start = startOf(pid)
  return start === undefined ? undefined : { pid, start }
}
