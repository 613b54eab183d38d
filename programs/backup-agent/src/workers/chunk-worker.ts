/** The thread that does the heavy part of backups and restores: reading, naming, sealing, opening, writing. */
import { parentPort } from 'node:worker_threads'
import { SendSession } from '../backup/send-session.ts'
import { VerifySession } from '../restore/verify-session.ts'
import { WriteSession } from '../restore/write-session.ts'
import type { FromWorker, Job, SessionSpec, ToWorker, WorkerSession } from './messages.ts'
import { toWire } from './wire-error.ts'

const port = parentPort
if (port === null) throw new Error('the chunk worker is not a program of its own')

const sessions = new Map<number, WorkerSession>()

port.on('message', (message: ToWorker) => {
  if (message.type === 'open') open(message.session, message.spec)
  else if (message.type === 'close') close(message.session)
  else run(message.session, message.jobNumber, message.job)
})

/** A session that cannot be opened answers all its jobs with the reason. */
function open(session: number, spec: SessionSpec): void {
  try {
    sessions.set(session, openSession(spec))
  } catch (error) {
    sessions.set(session, { run: () => Promise.reject(error), close: () => {} })
  }
}

function openSession(spec: SessionSpec): WorkerSession {
  if (spec.kind === 'send') return new SendSession(spec)
  return spec.kind === 'write' ? new WriteSession(spec) : new VerifySession(spec)
}

async function run(session: number, jobNumber: number, job: Job): Promise<void> {
  try {
    const running = sessions.get(session)
    if (running === undefined) throw new Error('the session is closed')
    answer({ jobNumber, ids: await running.run(job) })
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
