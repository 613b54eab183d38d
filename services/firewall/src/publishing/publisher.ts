import type { LiveConfiguration } from '../changes/live-configuration.ts'
import { compileSnapshot, type PublishedSnapshot } from './compile-snapshot.ts'

/** Compiles the configuration when somebody asks for it, once for each change, and tells those who wait. */
export class Publisher {
  readonly #configuration: LiveConfiguration
  readonly #stopListening: () => void
  readonly #waiting = new Set<() => void>()
  #newest: { readonly of: LiveConfiguration['snapshot']; readonly published: PublishedSnapshot } | undefined
  #isClosed = false

  constructor(configuration: LiveConfiguration) {
    this.#configuration = configuration
    this.#stopListening = configuration.onChange(() => this.#wake())
  }

  /** What proxies are to do now. */
  newest(): PublishedSnapshot {
    const { snapshot } = this.#configuration
    if (this.#newest?.of !== snapshot) {
      const published = compileSnapshot(snapshot, {
        service: this.#configuration.kind('service'),
        blocklist: this.#configuration.kind('custom-ip-blocklist'),
      })
      this.#newest = { of: snapshot, published }
    }
    return this.#newest.published
  }

  /**
   * Waits for a snapshot with another digest.
   *
   * @returns undefined when there was none before the signal was aborted or the publisher was closed
   */
  async other(than: string, signal: AbortSignal): Promise<PublishedSnapshot | undefined> {
    while (!signal.aborted && !this.#isClosed) {
      const newest = this.newest()
      if (newest.digest !== than) return newest
      await this.#change(signal)
    }
    return undefined
  }

  /** Lets everybody go who waits. */
  close(): void {
    this.#isClosed = true
    this.#stopListening()
    this.#wake()
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake)
    })
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake()
  }
}
