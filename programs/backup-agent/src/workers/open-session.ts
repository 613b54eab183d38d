import type { AlignedBuffers } from '../direct-io/aligned-buffers.ts'
import type { SessionSpec, WorkerSession } from './messages.ts'

/**
 * Begins a session. What it takes is loaded only now: a thread does one kind of work, and what the other kinds need, such as
 * Node's client of HTTP, takes it a good part of the time until its first chunk.
 */
export async function openSession(spec: SessionSpec, buffers: AlignedBuffers): Promise<WorkerSession> {
  switch (spec.kind) {
    case 'send':
      return new (await import('../backup/send-session.ts')).SendSession(spec, buffers)
    case 'write':
      return new (await import('../restore/write-session.ts')).WriteSession(spec, buffers)
    case 'stream':
      return new (await import('../restore/stream-session.ts')).StreamSession(spec, buffers)
  }
}
