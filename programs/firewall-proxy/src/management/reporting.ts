import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '@palisade/log'
import { reportIntervalMs } from '@palisade/proxy-protocol'
import { describe } from '@palisade/start-up'
import { RefusedByManagement } from './management-link.ts'

/** How long the management is left alone after it took no report. */
const retryMs = 500

/** Reports when there is news, and now and then all the same. */
export class Reporting {
  #wake: (() => void) | undefined
  #hasNews = true

  wake(): void {
    this.#hasNews = true
    this.#wake?.()
  }

  async run(report: () => Promise<void>, log: Log, signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#wake?.())
    let isRefused = false
    while (!signal.aborted) {
      if (!this.#hasNews) await this.#pause()
      this.#hasNews = false
      if (signal.aborted) return
      try {
        await report()
        isRefused = false
      } catch (error) {
        // That the management is away is told by whoever follows it; that it is there and refuses is told once.
        const isNews: boolean = error instanceof RefusedByManagement && !isRefused
        isRefused = isRefused || isNews
        log[isNews ? 'warn' : 'debug']({ reason: describe(error) }, 'the management takes no report')
        await pause(retryMs, undefined, { signal }).catch(() => undefined)
      }
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake?.(), reportIntervalMs)
      this.#wake = () => {
        clearTimeout(timer)
        this.#wake = undefined
        resolve()
      }
    })
  }
}
