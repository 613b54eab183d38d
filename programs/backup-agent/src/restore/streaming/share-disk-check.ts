import { type FileHandle, open, rm } from 'node:fs/promises'
import { isSet, taskFailures } from '@palisade/agent-protocol/wire'
import { isAllZero, nameChunk } from '@palisade/vault'
import { placesOf, presentBlocks } from '@palisade/virtual-disk'
import { chunkLength } from '../../chunks/chunk-range.ts'
import { layRegions } from '../../disk-layout/lay-regions.ts'
import {
  extentOfVolume,
  layPatches,
  type PlacedVolume,
  type VolumePatch,
} from '../../disk-layout/placed-volume.ts'
import type { PlannedDisk } from '../../disk-layout/planned-disk.ts'
import { isSampled, sampleSizeBytes, verifyLayout } from '../../disk-layout/verify-layout.ts'
import type { RestoreKeys } from '../../end-to-end/task-keys.ts'
import { TaskFailure } from '../../failure.ts'
import type { ChunkIdFile } from '../../state/chunk-id-file.ts'
import type { ForwardReader } from './forward-reader.ts'

/** Blocks may have 256 MiB; they are looked at in pieces. */
const pieceSizeBytesMax = 1024 * 1024

/** A part of the disk's data, where it is on the disk and in the file. */
interface DataPiece {
  readonly diskOffsetBytes: number
  readonly fileOffsetBytes: number
  readonly sizeBytes: number
  readonly isSample: boolean
}

/** A volume of the disk, and the chunk of it that is being put together. */
interface VolumeUnderCheck {
  readonly placed: PlacedVolume
  readonly ids: ChunkIdFile
  readonly chunk: Buffer
  chunkFilled: number
}

/**
 * Checks a disk that can only be read forward, from its first byte to its last, once:
 *
 * - the data of the volumes, each chunk at its place, by naming it again and comparing the names
 * - zeros, where the disk has room for chunks that are zeros
 * - everything else of the file is put into a local one with holes for the data, and that is checked as a local disk
 *
 * So every byte of the file is checked, and neither memory nor the work directory need room for its data.
 */
export class ShareDiskCheck {
  readonly #disk: PlannedDisk
  readonly #keys: RestoreKeys
  readonly #volumes: readonly VolumeUnderCheck[]
  readonly #bytesDone: BigInt64Array
  readonly #shownPath: string

  constructor(
    disk: PlannedDisk,
    reference: {
      readonly keys: RestoreKeys
      /** Of the chunks of each volume, in the order of the disk's volumes. */
      readonly ids: readonly ChunkIdFile[]
      readonly bytesDone: BigInt64Array
    },
  ) {
    this.#disk = disk
    this.#keys = reference.keys
    this.#volumes = reference.ids.flatMap((ids, index) => {
      const placed = disk.volumes[index]
      if (placed === undefined) return []
      return { placed, ids, chunk: Buffer.allocUnsafeSlow(placed.geometry.chunkSizeBytes), chunkFilled: 0 }
    })
    this.#bytesDone = reference.bytesDone
    this.#shownPath = disk.partialPath
  }

  /**
   * Reads the whole file.
   *
   * @param skeletonPath where the local file may lie; it is gone afterwards
   * @throws TaskFailure VerificationFailed
   */
  async run(file: ForwardReader, skeletonPath: string): Promise<void> {
    const { plan } = this.#disk
    const skeleton = await open(skeletonPath, 'w', 0o600)
    try {
      await skeleton.truncate(plan.fileSizeBytes)
      const buffer = Buffer.allocUnsafeSlow(pieceSizeBytesMax)
      for (const piece of this.#pieces()) {
        await this.#copyUpTo(piece.fileOffsetBytes, file, skeleton, buffer)
        const bytes = buffer.subarray(0, piece.sizeBytes)
        await this.#fill(bytes, file)
        await this.#check(piece, bytes, skeleton)
      }
      await this.#copyUpTo(plan.fileSizeBytes, file, skeleton, buffer)
      if (!(await file.isAtEnd())) throw this.#failure('the file is longer than it was written')
      await skeleton.close()
      await verifyLayout(skeletonPath, this.#disk, this.#shownPath)
    } finally {
      await skeleton.close()
      await rm(skeletonPath, { force: true })
    }
  }

  /** All data of the disk's file, in its order, which is that of the disk as well. */
  *#pieces(): Generator<DataPiece> {
    const { plan } = this.#disk
    let rank = 0
    for (const block of presentBlocks(plan.blocks)) {
      const isSample = isSampled(plan, rank++)
      const blockOffset = block * plan.blockSizeBytes
      const blockEnd = Math.min(blockOffset + plan.blockSizeBytes, plan.virtualSizeBytes)
      for (let at = blockOffset; at < blockEnd; at += pieceSizeBytesMax) {
        const sizeBytes = Math.min(pieceSizeBytesMax, blockEnd - at)
        const [place] = placesOf(plan, { offsetBytes: at, sizeBytes })
        if (place?.fileOffsetBytes === undefined) throw new Error('a block that is present has no place')
        const isStart = at === blockOffset
        yield {
          diskOffsetBytes: at,
          fileOffsetBytes: place.fileOffsetBytes,
          sizeBytes,
          isSample: isSample && isStart,
        }
      }
    }
  }

  /** Copies what lies before the next data; zeros stay holes. */
  async #copyUpTo(end: number, file: ForwardReader, skeleton: FileHandle, buffer: Buffer): Promise<void> {
    while (file.position < end) {
      const at = file.position
      const bytes = buffer.subarray(0, Math.min(buffer.length, end - at))
      await this.#fill(bytes, file)
      if (!isAllZero(bytes)) await skeleton.write(bytes, 0, bytes.length, at)
    }
  }

  async #fill(bytes: Buffer, file: ForwardReader): Promise<void> {
    if (!(await file.fill(bytes))) throw this.#failure('the file ends early')
  }

  async #check(
    { diskOffsetBytes, fileOffsetBytes, sizeBytes, isSample }: DataPiece,
    bytes: Buffer,
    skeleton: FileHandle,
  ): Promise<void> {
    if (isSample) await skeleton.write(bytes, 0, Math.min(sampleSizeBytes, sizeBytes), fileOffsetBytes)
    let at = 0
    while (at < sizeBytes) {
      const onDisk = diskOffsetBytes + at
      // Volumes are in the order of their places: the first that does not end before here is the next one.
      const next = this.#volumes.find(({ placed }) => onDisk < endOf(placed))
      const isInVolume = next !== undefined && onDisk >= next.placed.partitionOffsetBytes
      const nextEdge = next?.placed.partitionOffsetBytes ?? Number.POSITIVE_INFINITY
      const end = isInVolume ? chunkEnd(next.placed, onDisk) : nextEdge
      const part = bytes.subarray(at, Math.min(sizeBytes, end - diskOffsetBytes))
      if (isInVolume) await this.#checkVolume(next, onDisk - next.placed.partitionOffsetBytes, part)
      else {
        this.#checkOutside(onDisk, part)
        await skeleton.write(part, 0, part.length, fileOffsetBytes + at)
      }
      at += part.length
    }
  }

  /** @param part of one chunk */
  async #checkVolume(volume: VolumeUnderCheck, volumeOffsetBytes: number, part: Buffer): Promise<void> {
    const { geometry, presence, patches, revision } = volume.placed
    const index = Math.floor(volumeOffsetBytes / geometry.chunkSizeBytes)
    if (!isSet(presence, index)) {
      if (!isAllZero(part)) throw this.#failure(`chunk ${index} does not read back as zeros`)
      return
    }
    part.copy(volume.chunk, volumeOffsetBytes % geometry.chunkSizeBytes)
    volume.chunkFilled += part.length
    const lengthBytes = chunkLength(geometry, index)
    if (volume.chunkFilled < lengthBytes) return
    volume.chunkFilled = 0
    const chunk = volume.chunk.subarray(0, lengthBytes)
    this.#unpatch(chunk, index * geometry.chunkSizeBytes, patches)
    const name = nameChunk(chunk, this.#keys(revision).naming)
    const id = await volume.ids.read(index)
    if (!name.equals(id)) throw this.#failure(`chunk ${index} does not read back as it was backed up`)
    Atomics.add(this.#bytesDone, 0, BigInt(lengthBytes))
  }

  /** Checks that the patches of the boot sector are there, and undoes them. */
  #unpatch(chunk: Buffer, position: number, patches: readonly VolumePatch[]): void {
    if (patches.length === 0) return
    const expected = Buffer.from(chunk)
    layPatches(patches, expected, position, 'replacement')
    if (!expected.equals(chunk)) throw this.#failure('a boot sector does not read back as it was written')
    layPatches(patches, chunk, position, 'original')
  }

  /** Outside the volumes there are the partition table and zeros. */
  #checkOutside(onDisk: number, part: Buffer): void {
    const expected = Buffer.alloc(part.length)
    layRegions(this.#disk.regions, expected, onDisk)
    if (!part.equals(expected)) throw this.#failure('the disk does not read back right beside the volumes')
  }

  #failure(why: string): TaskFailure {
    return new TaskFailure(taskFailures.verificationFailed, `${this.#shownPath} is not right: ${why}`)
  }
}

function endOf(volume: PlacedVolume): number {
  const { offsetBytes, sizeBytes } = extentOfVolume(volume)
  return offsetBytes + sizeBytes
}

/** Where on the disk the chunk ends in which a place of the volume lies. */
function chunkEnd(volume: PlacedVolume, onDisk: number): number {
  const { partitionOffsetBytes, geometry } = volume
  const index = Math.floor((onDisk - partitionOffsetBytes) / geometry.chunkSizeBytes)
  return Math.min(endOf(volume), partitionOffsetBytes + (index + 1) * geometry.chunkSizeBytes)
}
