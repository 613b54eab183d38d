import { alignedLength, alignmentBytes } from '@palisade/vault/chunks'
import { type DiskPlan, placesOf, writeDiskData } from '@palisade/virtual-disk/places'
import { type ChunkGeometry, chunkCountOf, chunkLength } from '../chunks/chunk-range.ts'
import type { DiskFile } from './disk-file.ts'

/** Where a volume is in the file of a disk, and how it is cut into chunks. */
export interface VolumePlace {
  readonly plan: DiskPlan
  readonly partitionOffsetBytes: number
  /** How many bytes behind the volume's last one belong to nobody else and are zeros. */
  readonly roomBehindBytes: number
  readonly geometry: ChunkGeometry
}

/**
 * The chunks of a volume in the file of the disk that it is on. The last chunk is written and read up to the end of
 * its page where there is room, so that it can move past the system's cache like the others.
 */
export class VolumeFile {
  readonly #file: DiskFile
  readonly #place: VolumePlace

  constructor(file: DiskFile, place: VolumePlace) {
    this.#file = file
    this.#place = place
  }

  /** How large a buffer for a chunk must be. */
  get bufferSizeBytes(): number {
    return alignedLength(this.#place.geometry.chunkSizeBytes)
  }

  /** Whether the file has room for a chunk, or a part of it; without any, the chunk is zeros. */
  hasPlace(index: number): boolean {
    const { plan, partitionOffsetBytes, geometry } = this.#place
    const offsetBytes = partitionOffsetBytes + index * geometry.chunkSizeBytes
    for (const { fileOffsetBytes } of placesOf(plan, {
      offsetBytes,
      sizeBytes: chunkLength(geometry, index),
    })) {
      if (fileOffsetBytes !== undefined) return true
    }
    return false
  }

  /** Writes a chunk from the beginning of a buffer; the thread waits when `waits`. */
  async write(index: number, buffer: Buffer, waits: boolean): Promise<void> {
    const bytes = this.#roomOf(index, buffer).fill(0, chunkLength(this.#place.geometry, index))
    for (const { piece, diskOffsetBytes, fileOffsetBytes } of this.#piecesOf(index, bytes)) {
      if (fileOffsetBytes === undefined) throw new Error('the plan has no place for a chunk that is stored')
      const headBytes = this.#writeHead(piece, diskOffsetBytes)
      const rest = piece.subarray(headBytes)
      if (waits) this.#file.writeSync(rest, fileOffsetBytes + headBytes)
      else await this.#file.write(rest, fileOffsetBytes + headBytes)
    }
  }

  /** Reads a chunk into the beginning of a buffer; zeros where the disk stores nothing. */
  async read(index: number, buffer: Buffer): Promise<Buffer> {
    for (const { piece, fileOffsetBytes } of this.#piecesOf(index, this.#roomOf(index, buffer))) {
      if (fileOffsetBytes === undefined) piece.fill(0)
      else if ((await this.#file.read(piece, fileOffsetBytes)) < piece.byteLength) throw new FileEndsEarly()
    }
    return buffer.subarray(0, chunkLength(this.#place.geometry, index))
  }

  /** The part of a buffer that moves: the chunk, and for the last one what is left of its page. */
  #roomOf(index: number, buffer: Buffer): Buffer {
    const { geometry, partitionOffsetBytes, roomBehindBytes } = this.#place
    const lengthBytes = chunkLength(geometry, index)
    const isLast = index === chunkCountOf(geometry) - 1
    const startBytes = partitionOffsetBytes + index * geometry.chunkSizeBytes
    const hasRoom = alignedLength(lengthBytes) - lengthBytes <= roomBehindBytes
    const mayGrow = isLast && hasRoom && startBytes % alignmentBytes === 0
    return buffer.subarray(0, mayGrow ? alignedLength(lengthBytes) : lengthBytes)
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

  /** Cuts the bytes of a chunk where the blocks of the disk end. */
  *#piecesOf(index: number, bytes: Buffer): Generator<Piece> {
    const { plan, partitionOffsetBytes, geometry } = this.#place
    const startBytes = partitionOffsetBytes + index * geometry.chunkSizeBytes
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
