import type { AlignedBuffers } from '../chunks/aligned-buffers.ts'
import type { SessionSpec, WorkerSession } from '../sessions/session.ts'

/** The module of each kind of work. */
const load = {
  send: () => import('../sessions/send-session.ts'),
  write: () => import('../sessions/write-session.ts'),
  stream: () => import('../sessions/stream-session.ts'),
}

/**
 * Begins a session. What it takes is loaded only now: a thread does one kind of work, and what the other kinds need, such as
 * Node's client of HTTP, takes it a good part of the time until its first chunk.
 */
export async function openSession(spec: SessionSpec, buffers: AlignedBuffers): Promise<WorkerSession> {
  switch (spec.kind) {
    case 'send':
      return new (await load.send()).SendSession(spec, buffers)
    case 'write':
      return new (await load.write()).WriteSession(spec, buffers)
    case 'stream':
      return new (await load.stream()).StreamSession(spec, buffers)
  }
}

/** Loads what a kind of work takes, ahead of its session; one that cannot be loaded is told of by that. */
export function prepareSession(kind: SessionSpec['kind']): void {
  load[kind]().catch(() => {})
}
