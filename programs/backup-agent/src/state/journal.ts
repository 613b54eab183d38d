/**
 * What must be known after the agent was killed, one small JSON file per task. A record is replaced as a whole
 * and made durable before the step that it announces begins:
 *
 *     (nothing) ──> writing ──> naming ──> finished ──> (nothing)
 *                   unwind      go on      repeat        acknowledged
 *
 * - `writing`   a restore writes partial files; a restart removes them, and the server sends the task again
 * - `naming`    all disks of a restore are complete and verified; a restart goes on giving them their names
 * - `finished`  the outcome, repeated until the server acknowledges it
 *
 * A restore that makes a machine has two more, and its `naming` knows the machine:
 *
 *     writing ──> naming ──> making ──> finished
 *        unwind      └──> removing ──┘
 *
 * - `making`    the disks have their names; a restart goes on defining and starting the machine, or proving it
 * - `removing`  it failed, was cancelled, or was made for a proof only; a restart goes on removing machine and disks, and ends as
 *               it was to end
 *
 * A backup has nothing to unwind and is recorded only when it is finished.
 */
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { MachineToMake, Outcome, Task } from '@palisade/agent-protocol'
import { isRecord, parseAs } from '../json.ts'
import { syncDirectory, unfinishedSuffix, writeDurably } from './write-durably.ts'

/** Which task a record is about. */
export interface TaskKey {
  readonly task: Task
  /** See {@link isTaskId}. */
  readonly id: string
}

/** Ids come from the server and become parts of file names here, so they may consist of little. */
export function isTaskId(id: string): boolean {
  return /^[\w-]{1,64}$/.test(id)
}

/** A verified disk that is to get its name. */
export interface DiskToName {
  readonly partialPath: string
  /** The name it should get, without the extension; a number is added when it is taken. */
  readonly baseName: string
  readonly extension: string
  /** The name that was tried last, absolute. It is recorded before the attempt. */
  readonly attemptedPath?: string
}

/** Where a restore writes. */
export interface RestorePlace {
  readonly folder: string
  /** What opens the share that the folder is on, readable by this agent alone; gone when the task is finished. */
  readonly sealedCredentials?: string
}

/** The machine that disks are for. */
export interface MachineRecord extends Omit<MachineToMake, 'host'> {
  readonly hostName?: string
  /** Who is logged on at the host, readable by this agent alone. */
  readonly sealedLogon?: string
}

/** The step that a task has reached, with what a restart needs to unwind it or to go on. */
export type TaskState =
  | ({ readonly state: 'writing'; readonly partialPaths: readonly string[] } & RestorePlace)
  | ({
      readonly state: 'naming'
      readonly disks: readonly DiskToName[]
      readonly machine?: MachineRecord
    } & RestorePlace)
  | ({
      readonly state: 'making'
      readonly files: readonly string[]
      readonly machine: MachineRecord
    } & RestorePlace)
  | ({
      readonly state: 'removing'
      /** Finished disks and partial files, absolute. */
      readonly files: readonly string[]
      readonly machine: MachineRecord
      readonly outcome: Outcome
    } & RestorePlace)
  | { readonly state: 'finished'; readonly outcome: Outcome }

/** What one file of the journal holds. */
export type TaskRecord = TaskKey & TaskState

/** Which step each task has reached, in files that survive a kill. */
export class Journal {
  readonly #directory: string
  /** What was recorded last. There are few tasks at a time, so all of it is kept in memory as well. */
  readonly #records: Map<string, TaskRecord>

  private constructor(directory: string, records: Map<string, TaskRecord>) {
    this.#directory = directory
    this.#records = records
  }

  /**
   * Reads what the last run left, without what it did not finish writing. A file that cannot be understood is set aside under the
   * name `….damaged`.
   *
   * @param onDamaged is told the name of such a file
   */
  static async open(directory: string, onDamaged: (name: string) => void): Promise<Journal> {
    const records = new Map<string, TaskRecord>()
    for (const name of await readdir(directory)) {
      if (name.endsWith(unfinishedSuffix)) await rm(join(directory, name))
      if (!name.endsWith('.json')) continue
      const record = parseAs(await readFile(join(directory, name), 'utf8'), isTaskRecord)
      if (record !== undefined && fileName(record) === name) {
        records.set(name, record)
      } else {
        await rename(join(directory, name), join(directory, `${name}.damaged`))
        onDamaged(name)
      }
    }
    return new Journal(directory, records)
  }

  get count(): number {
    return this.#records.size
  }

  records(): readonly TaskRecord[] {
    return [...this.#records.values()]
  }

  find(key: TaskKey): TaskRecord | undefined {
    return this.#records.get(fileName(key))
  }

  /** Records what a task is about to do. Durable when this resolves; when it rejects, known until the agent ends. */
  async record({ task, id }: TaskKey, state: TaskState): Promise<void> {
    const record = { task, id, ...state }
    const name = fileName(record)
    this.#records.set(name, record)
    await writeDurably(join(this.#directory, name), `${JSON.stringify(record)}\n`)
  }

  /** Nothing is left to do or to say about a task. */
  async forget(key: TaskKey): Promise<void> {
    const name = fileName(key)
    if (!this.#records.delete(name)) return
    await rm(join(this.#directory, name), { force: true })
    await syncDirectory(this.#directory)
  }
}

function fileName({ task, id }: TaskKey): string {
  return `${task}-${id}.json`
}

function isTaskRecord(value: unknown): value is TaskRecord {
  if (!isRecord(value) || typeof value.id !== 'string' || !isTaskId(value.id)) return false
  if (value.task !== 'backup' && value.task !== 'restore') return false
  if (value.state === 'finished') return isOutcome(value.outcome)
  const { folder, sealedCredentials = '' } = value
  if (typeof folder !== 'string' || typeof sealedCredentials !== 'string') return false
  if (value.state === 'writing') return isArrayOf(value.partialPaths, isText)
  if (value.state === 'naming') {
    return isArrayOf(value.disks, isDiskToName) && (value.machine === undefined || isMachine(value.machine))
  }
  if (!isArrayOf(value.files, isText) || !isMachine(value.machine)) return false
  return value.state === 'making' || (value.state === 'removing' && isOutcome(value.outcome))
}

function isOutcome(value: unknown): boolean {
  return isRecord(value) && typeof value.state === 'string'
}

function isMachine(value: unknown): boolean {
  if (!isRecord(value)) return false
  const { id, name, firmware, cores, memoryMebibytes, start, hostName = '', sealedLogon = '' } = value
  const numbers = [cores, memoryMebibytes].every((number) => typeof number === 'number')
  return (
    [id, name, firmware, hostName, sealedLogon].every(isText) &&
    numbers &&
    typeof start === 'boolean' &&
    isProof(value.proof)
  )
}

function isProof(value: unknown): boolean {
  return value === undefined || (isRecord(value) && typeof value.timeoutSeconds === 'number')
}

function isDiskToName(value: unknown): value is DiskToName {
  if (!isRecord(value)) return false
  const { partialPath, baseName, extension, attemptedPath = '' } = value
  return [partialPath, baseName, extension, attemptedPath].every(isText)
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isArrayOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem)
}
