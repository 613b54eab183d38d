/**
 * Keeps volumes as they are at one moment while they are read. Each snapshot is written down, made, read and removed:
 *
 *     record ──> snapshot ──> (backup) ──> removed ──> no record
 *                                └───────> kept ─────> no record, but one of who keeps it (tracking/)
 *
 * What a killed agent left is removed by the next one, from the record.
 */

import { createHash } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '@palisade/log'
import { describe } from '@palisade/start-up'
import { isRecord } from '../../json.ts'
import { writeDurably } from '../../state/write-durably.ts'
import type { Volume } from '../open-volume.ts'
import { lvmSnapshots } from './lvm.ts'
import { reflinkSnapshots } from './reflink.ts'
import { type Shell, systemShell } from './shell.ts'
import type { SnapshotKind, SnapshotRecord } from './snapshot.ts'

/** Where a volume is to be read; at the same offset as ever. */
export interface ReadableVolume {
  readonly kind: SnapshotRecord['kind'] | 'none'
  readonly path: string
  /** Removes the snapshot. Never rejects: what cannot be removed now is when the agent starts again. */
  release(): Promise<void>
  /** Leaves it where it is, to somebody who has written down that it is his; from then on it is not released. */
  leave(): Promise<void>
}

/** Where a copy of an image is to lie, and under which name, when it may be kept. */
export interface CopyPlace {
  readonly folder: string
  /** Unlike that of any other copy in the folder; letters, digits and hyphens. */
  readonly name: string
}

/** Takes snapshots and removes them. Call `recover` before the first `freeze`: it removes all that has a record. */
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

  /**
   * Removes what an agent left that was killed.
   *
   * @param isKept says of a copy of an image whether somebody keeps it
   */
  async recover(isKept: (path: string) => boolean = () => false): Promise<void> {
    for (const name of await readdir(this.#directory)) {
      const path = join(this.#directory, name)
      const record = parseRecord(await readFile(path, 'utf8'))
      if (record === undefined || (record.kind === 'reflink' && isKept(record.path))) await rm(path)
      else await this.#remove(path, record)
    }
  }

  /**
   * Writes down that a copy of an image is to be removed, unless somebody keeps it when the agent starts again.
   *
   * @returns removes it
   */
  async announceRemoval(path: string): Promise<() => Promise<void>> {
    const record = { kind: 'reflink', path } as const
    const recordPath = await this.#writeRecord(`removal-${digestOf(path)}`, record)
    return () => this.#remove(recordPath, record)
  }

  /**
   * Takes a snapshot of a volume if there can be one; the log says why not.
   *
   * @param place of a copy that may be kept
   */
  async freeze(volume: Volume, taskId: string, place?: CopyPlace): Promise<ReadableVolume> {
    const reasons: string[] = []
    for (const kind of Object.values(this.#kinds)) {
      try {
        const frozen = await this.#tryKind(kind, volume, taskId, place)
        if ('path' in frozen) return frozen
        reasons.push(frozen.why)
      } catch (error) {
        reasons.push(describe(error))
      }
    }
    const { mountPoints } = volume.place
    this.#log[mountPoints.length > 0 ? 'warn' : 'info'](
      { path: volume.sourcePath, mountPoints },
      `the volume is read without a snapshot, and must not be written to meanwhile: ${reasons.join('; ')}`,
    )
    return unfrozen(volume)
  }

  async #tryKind(
    kind: SnapshotKind,
    volume: Volume,
    taskId: string,
    place: CopyPlace | undefined,
  ): Promise<ReadableVolume | { readonly why: string }> {
    const name = `palisade-${digestOf(taskId)}`
    const record = await kind.plan(volume, place?.name ?? name, place?.folder)
    if ('why' in record) return record
    const recordPath = await this.#writeRecord(name, record)
    try {
      return this.#frozen(await kind.make(volume, record), recordPath, record)
    } catch (error) {
      await this.#remove(recordPath, record)
      throw error
    }
  }

  #frozen(path: string, recordPath: string, record: SnapshotRecord): ReadableVolume {
    let isLeft = false
    return {
      kind: record.kind,
      path,
      release: async () => {
        if (!isLeft) await this.#remove(recordPath, record)
      },
      leave: async () => {
        isLeft = true
        await rm(recordPath, { force: true })
      },
    }
  }

  /** @returns where the record is; durable */
  async #writeRecord(name: string, record: SnapshotRecord): Promise<string> {
    const path = join(this.#directory, `${name}.json`)
    await writeDurably(path, `${JSON.stringify(record)}\n`)
    return path
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
export function unfrozen({ sourcePath }: Volume): ReadableVolume {
  return { kind: 'none', path: sourcePath, release: async () => {}, leave: async () => {} }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

function parseRecord(text: string): SnapshotRecord | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (!isRecord(value)) return undefined
    const { kind, volume, path, image } = value
    if (kind === 'lvm' && typeof volume === 'string') return { kind, volume }
    if (kind !== 'reflink' || typeof path !== 'string') return undefined
    return typeof image === 'string' ? { kind, path, image } : { kind, path }
  } catch {
    // A record that was cut off: the snapshot that it announces was never made.
    return undefined
  }
}
