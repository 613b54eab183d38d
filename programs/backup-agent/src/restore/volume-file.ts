import { type DiskPlan, placesOf, writeDiskData } from '@palisade/virtual-disk'
import { alignedLength, alignmentBytes } from '../direct-io/aligned-memory.ts'
import type { DirectFile } from '../direct-io/direct-file.ts'

/** Where a volume is in the file of a disk. */
export interface VolumePlace {
  readonly plan: DiskPlan
  readonly partitionOffsetBytes: number
}

/**
 * The bytes of a volume in the file of the disk that it is on. Buffers are read and written up to the next whole
 * page, so that they can move past the system's cache: behind the volume's last byte the room of its partition
 * goes on, with zeros.
 */
export class VolumeFile {
  readonly #file: DirectFile
  readonly #place: VolumePlace

  constructor(file: DirectFile, place: VolumePlace) {
    this.#file = file
    this.#place = place
  }

  /** Writes the first bytes of a buffer; the thread waits when `waits`. */
  async write(buffer: Buffer, lengthBytes: number, volumeOffsetBytes: number, waits: boolean): Promise<void> {
    const bytes = buffer.subarray(0, alignedLength(lengthBytes)).fill(0, lengthBytes)
    for (const { piece, diskOffsetBytes, fileOffsetBytes } of this.#piecesOf(bytes, volumeOffsetBytes)) {
      if (fileOffsetBytes === undefined) throw new Error('the plan has no place for a chunk that is stored')
      const headBytes = this.#writeHead(piece, diskOffsetBytes)
      const rest = piece.subarray(headBytes)
      if (waits) this.#file.writeSync(rest, fileOffsetBytes + headBytes)
      else await this.#file.write(rest, fileOffsetBytes + headBytes)
    }
  }

  /**
   * A VHD has a bitmap in front of each block, which is no whole page and goes with any data of the block. So
   * the first page of data is written with it, through the cache.
   */
  #writeHead(piece: Buffer, diskOffsetBytes: number): number {
    const { plan } = this.#place
    if (plan.format !== 'vhd') return 0
    const head = piece.subarray(0, alignmentBytes)
    writeDiskData(this.#file.cachedDescriptor, plan, diskOffsetBytes, head)
    return head.length
  }

  /** Reads into the first bytes of a buffer; zeros where the disk stores nothing. */
  async read(buffer: Buffer, lengthBytes: number, volumeOffsetBytes: number): Promise<void> {
    const bytes = buffer.subarray(0, alignedLength(lengthBytes))
    for (const { piece, fileOffsetBytes } of this.#piecesOf(bytes, volumeOffsetBytes)) {
      if (fileOffsetBytes === undefined) piece.fill(0)
      else if ((await this.#file.read(piece, fileOffsetBytes)) < piece.byteLength) throw new FileEndsEarly()
    }
  }

  /** Cuts bytes of the volume where the blocks of the disk end. */
  *#piecesOf(bytes: Buffer, volumeOffsetBytes: number): Generator<Piece> {
    const { plan, partitionOffsetBytes } = this.#place
    const startBytes = partitionOffsetBytes + volumeOffsetBytes
    for (const place of placesOf(plan, { offsetBytes: startBytes, sizeBytes: bytes.length })) {
      const at = place.offsetBytes - startBytes
      yield {
        piece: bytes.subarray(at, at + place.sizeBytes),
        diskOffsetBytes: place.offsetBytes,
        fileOffsetBytes: place.fileOffsetBytes,
      }
    }
  }
}

interface Piece {
  readonly piece: Buffer
  readonly diskOffsetBytes: number
  readonly fileOffsetBytes: number | undefined
}

/** The file of a disk is shorter than it was made. */
export class FileEndsEarly extends Error {
  override readonly message = 'the file ends early'
}
