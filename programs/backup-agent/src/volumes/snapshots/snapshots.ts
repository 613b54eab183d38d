/**
 * Keeps volumes as they are at one moment while they are read. Each snapshot is written down, made, read and removed:
 *
 *     record ──> snapshot ──> (backup) ──> removed ──> no record
 *
 * What a killed agent left is removed by the next one, from the record.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe } from '../../failure.ts'
import { isRecord } from '../../json.ts'
import type { Log } from '../../log.ts'
import { writeDurably } from '../../state/write-durably.ts'
import type { Volume } from '../open-volume.ts'
import { lvmSnapshots } from './lvm.ts'
import { reflinkSnapshots } from './reflink.ts'
import { type Shell, systemShell } from './shell.ts'
import type { SnapshotKind, SnapshotRecord } from './snapshot.ts'

/** Where a volume is to be read; at the same offset as ever. */
export interface Frozen {
  readonly kind: SnapshotRecord['kind'] | 'none'
  readonly path: string
  /** Removes the snapshot. Never rejects: what cannot be removed now is when the agent starts again. */
  release(): Promise<void>
}

export class Snapshots {
  readonly #directory: string
  readonly #log: Log
  readonly #kinds: Readonly<Record<SnapshotRecord['kind'], SnapshotKind>>

  /** @param directory where records are kept */
  constructor(directory: string, log: Log, shell: Shell = systemShell) {
    this.#directory = directory
    this.#log = log
    this.#kinds = { lvm: lvmSnapshots(shell), reflink: reflinkSnapshots }
  }

  /** Removes what an agent left that was killed. */
  async recover(): Promise<void> {
    for (const name of await readdir(this.#directory)) {
      const path = join(this.#directory, name)
      const record = parseRecord(await readFile(path, 'utf8'))
      if (record === undefined) await rm(path)
      else await this.#remove(path, record)
    }
  }

  /** Takes a snapshot of a volume if there can be one; the log says why not. */
  async freeze(volume: Volume, taskId: string): Promise<Frozen> {
    const reasons: string[] = []
    for (const kind of Object.values(this.#kinds)) {
      try {
        const frozen = await this.#tryKind(kind, volume, taskId)
        if ('path' in frozen) return frozen
        reasons.push(frozen.why)
      } catch (error) {
        reasons.push(describe(error))
      }
    }
    const { sourcePath, place } = volume
    const isMounted = place.mountPoints.length > 0
    this.#log[isMounted ? 'warn' : 'info'](
      { path: sourcePath, mountPoints: place.mountPoints },
      `the volume is read without a snapshot, and must not be written to meanwhile: ${reasons.join('; ')}`,
    )
    return unfrozen(volume)
  }

  async #tryKind(
    kind: SnapshotKind,
    volume: Volume,
    taskId: string,
  ): Promise<Frozen | { readonly why: string }> {
    const name = `palisade-${createHash('sha256').update(taskId).digest('hex').slice(0, 12)}`
    const record = await kind.plan(volume, name)
    if ('why' in record) return record
    const recordPath = join(this.#directory, `${name}.json`)
    await writeDurably(recordPath, `${JSON.stringify(record)}\n`)
    try {
      const path = await kind.make(volume, record)
      return { kind: record.kind, path, release: () => this.#remove(recordPath, record) }
    } catch (error) {
      await this.#remove(recordPath, record)
      throw error
    }
  }

  async #remove(recordPath: string, record: SnapshotRecord): Promise<void> {
    try {
      await this.#kinds[record.kind].remove(record)
      await rm(recordPath, { force: true })
    } catch (error) {
      this.#log.error({ snapshot: record }, `a snapshot cannot be removed now: ${describe(error)}`)
    }
  }
}

/** A volume that is read as it lies there. */
export function unfrozen({ sourcePath }: Volume): Frozen {
  return { kind: 'none', path: sourcePath, release: async () => {} }
}

function parseRecord(text: string): SnapshotRecord | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (!isRecord(value)) return undefined
    const { kind, volume, path } = value
    if (kind === 'lvm' && typeof volume === 'string') return { kind, volume }
    return kind === 'reflink' && typeof path === 'string' ? { kind, path } : undefined
  } catch {
    // A record that was cut off: the snapshot that it announces was never made.
    return undefined
  }
}
