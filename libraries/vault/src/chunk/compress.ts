import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { VaultFailure } from '../failure.ts'
import { releaseMemory } from './release-memory.ts'

/** Compressed data must be at least this much smaller to be worth the work of decompressing it. */
const worthwhileRatio = 0.97
const probePieceBytes = 1024
const probePieces = 16
const probe = Buffer.allocUnsafe(probePieceBytes * probePieces)

const probeLevel = 1
/** By measurement, see docs/decisions/vault-format.md. */
const compressionLevel = 3

/**
 * Compresses with zstd, or gives nothing when that would not save at least three percent. Before the real
 * work a probe of sixteen evenly spread kibibytes is compressed: media and encrypted data, which fill real
 * disks, are recognised for a tenth of the price of trying.
 */
export function compress(plaintext: Uint8Array): Buffer | undefined {
  if (plaintext.length > 4 * probe.length) {
    const step = (plaintext.length - probePieceBytes) / (probePieces - 1)
    for (let piece = 0; piece < probePieces; piece++) {
      const start = Math.floor(piece * step)
      probe.set(plaintext.subarray(start, start + probePieceBytes), piece * probePieceBytes)
    }
    if (zstd(probe, probeLevel).length > probe.length * worthwhileRatio) return undefined
  }
  const compressed = zstd(plaintext, compressionLevel)
  if (compressed.length <= plaintext.length * worthwhileRatio) return compressed
  releaseMemory(compressed)
  return undefined
}

/** Undoes {@link compress}; refuses to produce more than `sizeMaxBytes`. */
export function decompress(compressed: Uint8Array, sizeMaxBytes: number): Buffer {
  try {
    // A buffer that is never quite filled, or zstd is given a second one for nothing.
    return zstdDecompressSync(compressed, { chunkSize: sizeMaxBytes + 64, maxOutputLength: sizeMaxBytes })
  } catch (cause) {
    throw new VaultFailure('damaged', 'compressed data cannot be decompressed', { cause })
  }
}

/** The output buffer is sized for the worst case, so that zstd runs in one call without gluing pieces together. */
function zstd(plaintext: Uint8Array, level: number): Buffer {
  return zstdCompressSync(plaintext, {
    chunkSize: plaintext.length + (plaintext.length >> 7) + 512,
    pledgedSrcSize: plaintext.length,
    params: { [constants.ZSTD_c_compressionLevel]: level },
  })
}
