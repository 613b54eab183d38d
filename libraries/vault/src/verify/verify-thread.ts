/** The thread in which sealed chunks are verified: each takes milliseconds of decryption, decompression and hashing. */
import { parentPort } from 'node:worker_threads'
import { nameChunk } from '../chunk/chunk-id.ts'
import { openPatched } from '../chunk/open-patched.ts'
import { isSealedEndToEnd, verifyChunk } from '../chunk/sealed-chunk.ts'
import { isVaultFailure } from '../failure.ts'
import type { PatchedPlace, SealedPlace, VerifyAnswer, VerifyJob } from './messages.ts'

const port = parentPort
if (port === null) throw new Error('the verifying thread is not a program of its own')

let plaintext = Buffer.alloc(0)

port.on('message', (job: VerifyJob) => {
  port.postMessage(answerTo(job))
  // Left to the garbage collector, such memory would pile up.
  if (job.bytes.buffer instanceof ArrayBuffer) job.bytes.buffer.transfer(0)
})

function answerTo(job: VerifyJob): VerifyAnswer {
  const { number, places, patched, chunkSizeBytes } = job
  if (plaintext.length !== chunkSizeBytes) plaintext = Buffer.allocUnsafeSlow(chunkSizeBytes)
  try {
    const damaged =
      patched === undefined
        ? [...places.keys()].filter((index) => !isIntact(places[index], job))
        : [...patched.keys()].filter((index) => !isAsNamed(patched[index], job))
    return { number, damaged }
  } catch (error) {
    return { number, failure: error instanceof Error ? error.message : String(error) }
  }
}

function isIntact(place: SealedPlace | undefined, job: VerifyJob): boolean {
  if (place === undefined) return false
  return isSound(() => {
    verifyChunk(place.id, sealedAt(place, job), job.keys, { into: plaintext })
    return true
  })
}

/** Of what is sealed end to end nothing can be said here. */
function isAsNamed(chunk: PatchedPlace | undefined, job: VerifyJob): boolean {
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

function sealedAt({ offset, lengthBytes }: SealedPlace, { bytes }: VerifyJob): Uint8Array {
  return bytes.subarray(offset, offset + lengthBytes)
}
