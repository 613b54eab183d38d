import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '@palisade/platform'
import type { ForbiddenAddresses } from '@palisade/proxy-protocol'
import type { LiveConfiguration } from '../changes/live-configuration.ts'
import { compileSnapshot, type PublishedSnapshot } from './compile-snapshot.ts'
import type { ProxySecrets } from './proxy-secrets.ts'

/** Timers cannot wait longer, in milliseconds. */
const timerMaxMs = 2 ** 31 - 1

/** A snapshot with what it was made of. */
interface Compiled {
  readonly of: LiveConfiguration['snapshot']
  /** That of its keys. */
  readonly period: number
  readonly forbidden: ForbiddenAddresses
  readonly published: PublishedSnapshot
}

/**
 * Compiles the configuration when somebody asks for it, once for each change and whenever it is time for another key, and tells
 * those who wait.
 */
export class Publisher {
  readonly #configuration: LiveConfiguration
  readonly #stopListening: () => void
  readonly #waiting = new Set<() => void>()
  readonly #secrets: ProxySecrets
  readonly #clock: Clock
  readonly #forbidden: () => ForbiddenAddresses
  #newest: Compiled | undefined
  #keyChange: NodeJS.Timeout | undefined
  #isClosed = false

  /** @param deps.forbidden where servers may not lie; asked for each time, since listeners open one after the other */
  constructor({
    configuration,
    secrets,
    clock,
    forbidden,
  }: {
    readonly configuration: LiveConfiguration
    readonly secrets: ProxySecrets
    readonly clock: Clock
    readonly forbidden: () => ForbiddenAddresses
  }) {
    this.#configuration = configuration
    this.#secrets = secrets
    this.#clock = clock
    this.#forbidden = forbidden
    this.#stopListening = configuration.onChange(() => this.#wake())
  }

  /** What proxies are to do now. */
  newest(): PublishedSnapshot {
    const { snapshot } = this.#configuration
    const now = this.#clock.now()
    const period = this.#secrets.period(now)
    const forbidden = this.#forbidden()
    if (
      this.#newest?.of !== snapshot ||
      this.#newest.period !== period ||
      !isDeepStrictEqual(this.#newest.forbidden, forbidden)
    ) {
      const kinds = {
        service: this.#configuration.kind('service'),
        blocklist: this.#configuration.kind('custom-ip-blocklist'),
        system: this.#configuration.kind('system'),
      }
      const published = compileSnapshot(snapshot, kinds, this.#secrets, now, forbidden)
      this.#newest = { of: snapshot, period, forbidden, published }
      this.#wakeForKeys(this.#secrets.periodEnd(now) - now)
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
    clearTimeout(this.#keyChange)
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

  /** Those who wait ask again when it is time for another key. */
  #wakeForKeys(inMs: number): void {
    clearTimeout(this.#keyChange)
    this.#keyChange = setTimeout(() => this.#wake(), Math.min(inMs, timerMaxMs)).unref()
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake()
  }
}
