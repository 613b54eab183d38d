import type { FileHandle } from 'node:fs/promises'
import {
  beginDiskFile,
  type Extent,
  finishDiskFile,
  type Region,
  writeDiskData,
} from '@palisade/virtual-disk'
import { chunksWithin } from '../chunks/chunk-range.ts'
import type { LocalFolder } from '../destinations/local-folder.ts'
import { placedRanges } from '../disk-layout/placed-ranges.ts'
import type { PlannedDisk } from '../disk-layout/planned-disk.ts'
import { storedExtents } from '../disk-layout/stored-extents.ts'
import { verifyLayout } from '../disk-layout/verify-layout.ts'
import type { RestoreKeys } from '../end-to-end/task-keys.ts'
import { linuxFileCalls } from '../system-calls/linux-files.ts'
import { descriptorPath } from '../system-calls/open-folder.ts'
import { makeRoom } from './make-room.ts'
import type { RestoreContext } from './restore-context.ts'

/** How much one request fetches: large, so that there are few, and small beside a disk, so that threads end together. */
const rangeSizeBytes = 16 * 1024 * 1024

/**
 * A disk under its partial name. First `write`, then `finish`, and `close` in any case. The
 * file becomes a valid disk with `finish`, not before.
 */
export class PartialDisk {
  readonly #disk: PlannedDisk
  readonly #folder: LocalFolder
  readonly #file: FileHandle

  private constructor(disk: PlannedDisk, folder: LocalFolder, file: FileHandle) {
    this.#disk = disk
    this.#folder = folder
    this.#file = file
  }

  /** Creates the partial file and writes everything but the volumes and the seals. */
  static async begin(disk: PlannedDisk, folder: LocalFolder): Promise<PartialDisk> {
    const file = await folder.createPartial(disk.partialPath)
    try {
      await beginDiskFile(file, disk.plan)
      for (const { offsetBytes, bytes } of disk.regions) writeDiskData(file.fd, disk.plan, offsetBytes, bytes)
      return new PartialDisk(disk, folder, file)
    } catch (error) {
      await file.close()
      throw folder.failureOf(error, disk.partialPath)
    }
  }

  /** Has the workers fetch the chunks, write them to their places, and read them back. */
  async write(
    restoreId: string,
    keys: RestoreKeys,
    bytesDone: BigInt64Array,
    context: RestoreContext,
  ): Promise<void> {
    const ending = new AbortController()
    // Runs beside the workers: it is done before they have their first chunk.
    const makingRoom = this.#makeRoom(AbortSignal.any([context.signal, ending.signal]))
    try {
      await this.#writeVolumes(restoreId, keys, bytesDone, context)
    } finally {
      ending.abort()
      await makingRoom
    }
  }

  /** Leads to the open file, also when another one takes its name. */
  get #openPath(): string {
    return descriptorPath(this.#file.fd, this.#disk.partialPath)
  }

  async #makeRoom(signal: AbortSignal): Promise<void> {
    const { plan } = this.#disk
    try {
      await makeRoom(this.#file, this.#openPath, plan, this.#dataExtents(), signal)
    } catch {
      // Writes will report what is wrong with the file.
    }
  }

  *#dataExtents(): Generator<Extent> {
    for (const { partitionOffsetBytes, presence, geometry } of this.#disk.volumes) {
      for (const { offsetBytes, sizeBytes } of storedExtents(presence, geometry))
        yield { offsetBytes: partitionOffsetBytes + offsetBytes, sizeBytes }
    }
  }

  async #writeVolumes(
    restoreId: string,
    keys: RestoreKeys,
    bytesDone: BigInt64Array,
    { connection, retryPolicy, workers, verifiesFromDisk, signal }: RestoreContext,
  ): Promise<void> {
    const { plan, partialPath, volumes } = this.#disk
    for (const {
      partitionOffsetBytes,
      roomBehindBytes,
      presence,
      geometry,
      revision,
      firstChunk,
    } of volumes) {
      const chunksPerRange = chunksWithin(geometry, rangeSizeBytes)
      await workers.each(
        {
          kind: 'write',
          geometry,
          keys: keys(revision),
          connection,
          retryPolicy,
          restoreId,
          revisionId: revision.revisionId,
          firstChunk,
          diskPath: this.#openPath,
          shownPath: partialPath,
          plan,
          partitionOffsetBytes,
          roomBehindBytes,
          verifiesFromDisk,
          presence,
          bytesDone,
        },
        placedRanges(plan, partitionOffsetBytes, geometry, chunksPerRange),
        { signal },
      )
    }
  }

  /** Makes everything durable and the file a disk, and checks that it is one. */
  async finish(): Promise<void> {
    const { plan, regions, partialPath } = this.#disk
    const patches = this.#patches()
    try {
      for (const { offsetBytes, bytes } of patches) writeDiskData(this.#file.fd, plan, offsetBytes, bytes)
      await finishDiskFile(this.#file, plan)
      await this.#leaveCache()
    } catch (error) {
      throw this.#folder.failureOf(error, partialPath)
    }
    await verifyLayout(this.#openPath, { plan, regions: [...regions, ...patches] }, partialPath)
  }

  /** Written last: until then the volumes hold what their chunks were named by. */
  #patches(): readonly Region[] {
    return this.#disk.volumes.flatMap(({ partitionOffsetBytes, patches }) =>
      patches.map(({ offsetBytes, replacement }) => ({
        offsetBytes: partitionOffsetBytes + offsetBytes,
        bytes: replacement,
      })),
    )
  }

  /** Drops the pages that no session could: those that chunks share, and all of them on stacked file systems. */
  async #leaveCache(): Promise<void> {
    const calls = await linuxFileCalls()
    calls?.dropFromCache(this.#file.fd, 0, this.#disk.plan.fileSizeBytes)
  }

  async close(): Promise<void> {
    await this.#file.close()
  }
}
