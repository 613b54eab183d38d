import type { SessionSpec } from '../../sessions/session.ts'
import { ChunkWorkers } from '../../workers/chunk-workers.ts'

/**
 * Threads that stay when the kind of work changes: each kind has its own. An agent ends those of a backup before a restore, to give
 * back memory; in tests, which do one after the other all the time, starting them would cost half of the processor's time.
 */
export class LastingWorkers extends ChunkWorkers {
  readonly #ofKind = new Map<SessionSpec['kind'], ChunkWorkers>()

  override each(...[spec, ranges, options]: Parameters<ChunkWorkers['each']>): Promise<void> {
    return this.#of(spec.kind).each(spec, ranges, options)
  }

  override prepare(kind: SessionSpec['kind']): void {
    this.#of(kind).prepare(kind)
  }

  override async stop(): Promise<void> {
    await Promise.all([...this.#ofKind.values()].map((workers) => workers.stop()))
  }

  #of(kind: SessionSpec['kind']): ChunkWorkers {
    const workers = this.#ofKind.get(kind) ?? new ChunkWorkers()
    this.#ofKind.set(kind, workers)
    return workers
  }
}
