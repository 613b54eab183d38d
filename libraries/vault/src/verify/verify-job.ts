import { nameChunk } from '../chunk/chunk-id.ts'
import { openPatched } from '../chunk/open-patched.ts'
import { isSealedEndToEnd, verifyChunk } from '../chunk/sealed-chunk.ts'
import { isVaultFailure } from '../failure.ts'
import type { PatchedPlace, SealedPlace, VerifyJob } from './messages.ts'

/** Where chunks are opened, one after the other. */
let plaintext = Buffer.alloc(0)

/**
 * Verifies sealed chunks: milliseconds of decryption, decompression and hashing for each mebibyte.
 *
 * @returns the indexes of the patched chunks, or else of the places, whose content is not what it should be
 */
export function damagedIn(job: Omit<VerifyJob, 'number'>): readonly number[] {
  const { places, patched, chunkSizeBytes } = job
  if (plaintext.length !== chunkSizeBytes) plaintext = Buffer.allocUnsafeSlow(chunkSizeBytes)
  return patched === undefined
    ? [...places.keys()].filter((index) => !isIntact(places[index], job))
    : [...patched.keys()].filter((index) => !isAsNamed(patched[index], job))
}

function isIntact(place: SealedPlace | undefined, job: Omit<VerifyJob, 'number'>): boolean {
  if (place === undefined) return false
  return isSound(() => {
    verifyChunk(place.id, sealedAt(place, job), job.keys, { into: plaintext })
    return true
  })
}

/** Of what is sealed end to end nothing can be said here. */
function isAsNamed(chunk: PatchedPlace | undefined, job: Omit<VerifyJob, 'number'>): boolean {
  const [base, patch] = [job.places[chunk?.base ?? -1], job.places[chunk?.patch ?? -1]]
  if (chunk === undefined || base === undefined || patch === undefined) return false
  const sealedBase = sealedAt(base, job)
  if (isSealedEndToEnd(sealedBase)) return true
  const { chunks } = job.keys
  return isSound(() => {
    const content = openPatched(
      { id: base.id, sealed: sealedBase },
      { id: patch.id, sealed: sealedAt(patch, job) },
      chunks,
      plaintext,
    )
    return content.length === job.chunkSizeBytes && nameChunk(content, chunks.naming).equals(chunk.name)
  })
}

function isSound(look: () => boolean): boolean {
  try {
    return look()
  } catch (error) {
    if (isVaultFailure(error, 'damaged')) return false
    throw error
  }
}

function sealedAt({ offset, lengthBytes }: SealedPlace, { bytes }: Omit<VerifyJob, 'number'>): Uint8Array {
  return bytes.subarray(offset, offset + lengthBytes)
}
