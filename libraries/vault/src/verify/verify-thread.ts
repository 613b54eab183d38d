/** The thread in which sealed chunks are verified. */
import { parentPort } from 'node:worker_threads'
import type { VerifyAnswer, VerifyJob } from './messages.ts'
import { damagedIn } from './verify-job.ts'

const port = parentPort
if (port === null) throw new Error('the verifying thread is not a program of its own')

port.on('message', (job: VerifyJob) => {
  port.postMessage(answerTo(job))
  // Left to the garbage collector, such memory would pile up.
  if (job.bytes.buffer instanceof ArrayBuffer) job.bytes.buffer.transfer(0)
})

function answerTo(job: VerifyJob): VerifyAnswer {
  const { number } = job
  try {
    return { number, damaged: damagedIn(job) }
  } catch (error) {
    return { number, failure: error instanceof Error ? error.message : String(error) }
  }
}
