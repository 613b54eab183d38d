/** The thread that does the heavy part of backups and restores: reading, naming, sealing, opening, writing. */
import { parentPort } from 'node:worker_threads'
import { SendSession } from '../backup/send-session.ts'
import { AlignedBuffers } from '../direct-io/aligned-buffers.ts'
import { StreamSession } from '../restore/stream-session.ts'
import { WriteSession } from '../restore/write-session.ts'
import type { FromWorker, JobRange, SessionSpec, ToWorker, WorkerSession } from './messages.ts'
import { toWire } from './wire-error.ts'

const port = parentPort
if (port === null) throw new Error('the chunk worker is not a program of its own')

/** Shared by all sessions of this thread. */
const buffers = new AlignedBuffers()
const sessions = new Map<number, WorkerSession>()

port.on('message', (message: ToWorker) => {
  if (message.type === 'open') sessions.set(message.session, open(message.spec))
  else if (message.type === 'close') close(message.session)
  else run(message.session, message.jobNumber, message.range)
})

function open(spec: SessionSpec): WorkerSession {
  if (spec.kind === 'send') return new SendSession(spec, buffers)
  return spec.kind === 'write' ? new WriteSession(spec, buffers) : new StreamSession(spec, buffers)
}

async function run(session: number, jobNumber: number, range: JobRange): Promise<void> {
  try {
    const running = sessions.get(session)
    if (running === undefined) throw new Error('the session is closed')
    answer({ jobNumber, ids: await running.run(range) })
  } catch (error) {
    answer({ jobNumber, error: toWire(error) })
  }
}

function close(session: number): void {
  sessions.get(session)?.close()
  sessions.delete(session)
}

function answer(message: FromWorker): void {
  port?.postMessage(message)
}
