/** The thread in which sealed chunks are verified: each takes milliseconds of decryption, decompression and hashing. */
import { parentPort } from 'node:worker_threads'
import { verifyChunk } from '../chunk/sealed-chunk.ts'
import { isVaultFailure } from '../failure.ts'
import type { SealedPlace, VerifyAnswer, VerifyJob } from './messages.ts'

const port = parentPort
if (port === null) throw new Error('the verifying thread is not a program of its own')

let plaintext = Buffer.alloc(0)

port.on('message', (job: VerifyJob) => {
  port.postMessage(answerTo(job))
  // Left to the garbage collector, such memory would pile up.
  job.bytes.buffer.transfer(0)
})

function answerTo(job: VerifyJob): VerifyAnswer {
  const { number, places, chunkSizeBytes } = job
  if (plaintext.length !== chunkSizeBytes) plaintext = Buffer.allocUnsafeSlow(chunkSizeBytes)
  try {
    const damaged = [...places.keys()].filter((index) => !isIntact(places[index], job))
    return { number, damaged }
  } catch (error) {
    return { number, failure: error instanceof Error ? error.message : String(error) }
  }
}

function isIntact(place: SealedPlace | undefined, { bytes, keys }: VerifyJob): boolean {
  if (place === undefined) return false
  const { id, offset, lengthBytes } = place
  try {
    verifyChunk(id, bytes.subarray(offset, offset + lengthBytes), keys, { into: plaintext })
    return true
  } catch (error) {
    if (isVaultFailure(error, 'damaged')) return false
    throw error
  }
}
