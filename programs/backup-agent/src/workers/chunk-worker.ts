/** The thread that does the heavy part of backups and restores: reading, naming, sealing, opening, writing. */
import { parentPort } from 'node:worker_threads'
import { AlignedBuffers } from '../chunks/aligned-buffers.ts'
import type { JobRange, WorkerSession } from '../sessions/session.ts'
import type { FromWorker, ToWorker } from './messages.ts'
import { openSession, prepareSession } from './open-session.ts'
import { toWire } from './wire-error.ts'

const port = parentPort
if (port === null) throw new Error('the chunk worker is not a program of its own')

/** Shared by all sessions of this thread. */
const buffers = new AlignedBuffers()
const sessions = new Map<number, Promise<WorkerSession>>()

port.on('message', (message: ToWorker) => {
  if (message.type === 'prepare') prepareSession(message.kind)
  else if (message.type === 'open') open(message.session, openSession(message.spec, buffers))
  else if (message.type === 'close') close(message.session)
  else run(message.session, message.jobNumber, message.range)
})

function open(session: number, opening: Promise<WorkerSession>): void {
  // Jobs report why it cannot be opened.
  opening.catch(() => {})
  sessions.set(session, opening)
}

async function run(session: number, jobNumber: number, range: JobRange): Promise<void> {
  try {
    const running = await sessions.get(session)
    if (running === undefined) throw new Error('the session is closed')
    answer({ jobNumber, ids: await running.run(range) })
  } catch (error) {
    answer({ jobNumber, error: toWire(error) })
  }
}

/** Jobs that came before and wait for the session to open run into its end. */
function close(session: number): void {
  sessions.get(session)?.then(
    (opened) => opened.close(),
    () => {},
  )
  sessions.delete(session)
}

function answer(message: FromWorker): void {
  port?.postMessage(message)
}
