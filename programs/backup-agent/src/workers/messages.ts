/** What the main thread and the chunk workers say to each other. */
import type { JobRange, SessionSpec } from '../sessions/session.ts'
import type { WireError } from './wire-error.ts'

/** What a worker is told: load the code of a kind of session, open one, do a range of its chunks, close it. Only `run` is answered. */
export type ToWorker =
  | { readonly type: 'prepare'; readonly kind: SessionSpec['kind'] }
  | { readonly type: 'open'; readonly session: number; readonly spec: SessionSpec }
  | { readonly type: 'run'; readonly session: number; readonly jobNumber: number; readonly range: JobRange }
  | { readonly type: 'close'; readonly session: number }

/** The answer to a job: the ids of its chunks when it was to find them, or why it failed. */
export type FromWorker =
  | { readonly jobNumber: number; readonly ids: Uint8Array }
  | { readonly jobNumber: number; readonly error: WireError }
