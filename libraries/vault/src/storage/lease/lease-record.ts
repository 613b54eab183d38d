/**
 * What the holder of a storage writes down about itself, for those who come later and for messages: JSON in UTF-8.
 *
 *     state           "taking" until it is certain that nobody else holds the storage, then "held"
 *     host, process   for messages
 *     boot            id of this start of the operating system (Linux), or null
 *     processes       namespace of the process number (Linux), or null
 *     startedTicks    start of the process in ticks since boot (Linux), which tells it from a later one of the same number
 *
 * With the last three a process of the same machine sees at once that a holder is dead.
 */
import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'

/** Who holds a storage, or wants to. */
export interface Holder {
  readonly host: string
  readonly process: number
  readonly boot: string | null
  readonly processes: string | null
  readonly startedTicks: string | null
}

/** The content of a lease's object. */
export interface LeaseRecord extends Holder {
  readonly state: 'taking' | 'held'
}

/** This process. */
export async function thisHolder(): Promise<Holder> {
  return {
    host: hostname(),
    process: process.pid,
    boot: await textOf('/proc/sys/kernel/random/boot_id'),
    processes: await readlink('/proc/self/ns/pid').catch(() => null),
    startedTicks: await startedTicksOf(process.pid),
  }
}

/** Whether a holder is known to live, known to have ended, or neither because it is elsewhere. */
export async function lifeOf(holder: Holder, observer: Holder): Promise<'lives' | 'ended' | 'unknown'> {
  const near =
    holder.boot !== null &&
    holder.boot === observer.boot &&
    holder.processes !== null &&
    holder.processes === observer.processes
  if (!near) return 'unknown'
  return (await startedTicksOf(holder.process)) === holder.startedTicks ? 'lives' : 'ended'
}

/** One line of JSON. */
export function encodeLeaseRecord(record: LeaseRecord): Buffer {
  return Buffer.from(`${JSON.stringify(record)}\n`)
}

/** Nothing for what is no record: only its age can be judged then. */
export function parseLeaseRecord(content: Uint8Array): LeaseRecord | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(content).toString('utf8'))
    return isLeaseRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isLeaseRecord(value: unknown): value is LeaseRecord {
  if (typeof value !== 'object' || value === null) return false
  const member = (name: string): unknown => Reflect.get(value, name)
  const isTextOrNull = (name: string) => member(name) === null || typeof member(name) === 'string'
  return (
    (member('state') === 'taking' || member('state') === 'held') &&
    typeof member('host') === 'string' &&
    Number.isSafeInteger(member('process')) &&
    ['boot', 'processes', 'startedTicks'].every(isTextOrNull)
  )
}

/** Field 22 of /proc/<pid>/stat (proc(5)); the command before it is in brackets and may hold anything. */
async function startedTicksOf(processNumber: number): Promise<string | null> {
  const status = await textOf(`/proc/${processNumber}/stat`)
  return status?.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? null
}

async function textOf(path: string): Promise<string | null> {
  return readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => null,
  )
}
