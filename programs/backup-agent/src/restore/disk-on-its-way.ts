import type { FileHandle } from 'node:fs/promises'
import type { ChunkKeys } from '@palisade/vault'
import { beginDiskFile, finishDiskFile, writeDiskData } from '@palisade/virtual-disk'
import { type ChunkRange, rangeLength } from '../chunk-range.ts'
import { ChunkIdFile } from '../state/chunk-id-file.ts'
import type { TaskContext } from '../tasks/task-context.ts'
import type { Destination } from './destination.ts'
import { asDestinationFailure } from './destination-failure.ts'
import { placedRanges } from './placed-ranges.ts'
import type { PlannedDisk } from './planned-disk.ts'
import { storedRanges } from './stored-ranges.ts'
import { verifyLayout } from './verify-layout.ts'
import { WriteBehind } from './write-behind.ts'

/** What one request fetches: large, so that few are made, and small beside a disk, so that threads end together. */
const rangeSizeBytes = 32 * 1024 * 1024

/**
 * A disk under its partial name. First `write`, then `finish`, then `verify`; `close` at the end of all, however
 * it comes. The file is a valid disk when `finish` is done, and not before.
 */
export class DiskOnItsWay {
  readonly #disk: PlannedDisk
  readonly #keys: ChunkKeys
  readonly #context: TaskContext
  readonly #file: FileHandle
  readonly #ids: ChunkIdFile

  private constructor(
    disk: PlannedDisk,
    keys: ChunkKeys,
    context: TaskContext,
    file: FileHandle,
    ids: ChunkIdFile,
  ) {
    this.#disk = disk
    this.#keys = keys
    this.#context = context
    this.#file = file
    this.#ids = ids
  }

  /** Creates the partial file and writes everything but the volume and the seals. */
  static async begin(
    disk: PlannedDisk,
    keys: ChunkKeys,
    destination: Destination,
    context: TaskContext,
  ): Promise<DiskOnItsWay> {
    const ids = await ChunkIdFile.create(disk.idsPath, disk.revision.chunkCount)
    const file = await destination.createPartial(disk.partialPath)
    const begun = new DiskOnItsWay(disk, keys, context, file, ids)
    await begun.#atDestination(async () => {
      await beginDiskFile(file, disk.plan)
      for (const { offsetBytes, bytes } of disk.regions) writeDiskData(file.fd, disk.plan, offsetBytes, bytes)
    })
    return begun
  }

  /** Has the workers fetch the chunks and write them to their places. */
  async write(restoreId: string, bytesDone: BigInt64Array): Promise<void> {
    const { connection, patience, workers, signal } = this.#context
    const { plan, partialPath, partitionOffsetBytes, presence, geometry, revision } = this.#disk
    const writeBehind = new WriteBehind(this.#file)
    await workers.each(
      {
        kind: 'write',
        geometry,
        keys: this.#keys,
        connection,
        patience,
        restoreId,
        revisionId: revision.revisionId,
        diskPath: partialPath,
        plan,
        partitionOffsetBytes,
        presence,
        bytesDone,
      },
      storedRanges(presence, revision.chunkCount, this.#chunksPerRange()),
      {
        signal,
        onDone: async ({ from }, ids) => {
          writeBehind.start()
          await this.#ids.write(from, ids)
        },
      },
    )
    await this.#atDestination(() => writeBehind.settle())
  }

  /** Makes everything durable and the file a disk. */
  async finish(): Promise<void> {
    await this.#atDestination(() => finishDiskFile(this.#file, this.#disk.plan))
  }

  /** How much there is to read back. */
  get sizeToVerifyBytes(): number {
    let sizeBytes = 0
    for (const range of this.#rangesToVerify()) sizeBytes += rangeLength(this.#disk.geometry, range)
    return sizeBytes
  }

  /** Opens the file anew and has the workers read the volume back. */
  async verify(bytesDone: BigInt64Array): Promise<void> {
    const { workers, signal } = this.#context
    const { plan, partialPath, partitionOffsetBytes, presence, geometry } = this.#disk
    await verifyLayout(partialPath, this.#disk)
    const ranges = this.#rangesToVerify()
    const ids = this.#ids
    const jobs = (async function* () {
      for (const range of ranges) yield { ...range, ids: await ids.read(range) }
    })()
    await workers.each(
      {
        kind: 'verify',
        geometry,
        keys: this.#keys,
        diskPath: partialPath,
        plan,
        partitionOffsetBytes,
        presence,
        bytesDone,
      },
      jobs,
      { signal },
    )
  }

  async close(): Promise<void> {
    await this.#file.close()
    await this.#ids.remove()
  }

  #rangesToVerify(): Iterable<ChunkRange> {
    const { plan, partitionOffsetBytes, geometry } = this.#disk
    return placedRanges(plan, partitionOffsetBytes, geometry, this.#chunksPerRange())
  }

  #chunksPerRange(): number {
    return Math.max(1, Math.floor(rangeSizeBytes / this.#disk.geometry.chunkSizeBytes))
  }

  async #atDestination(action: () => Promise<void>): Promise<void> {
    try {
      await action()
    } catch (error) {
      throw asDestinationFailure(error, this.#disk.partialPath)
    }
  }
}
