import type { Log } from '@palisade/log'
import { type StoredRequest, storedTrafficMax } from '@palisade/proxy-protocol'
import { describe } from '@palisade/start-up'
import { regularly } from '../regularly.ts'
import { bringDivided } from './bring-divided.ts'
import type { ManagementLink } from './management-link.ts'

const intervalMs = 1_000

/** What waits for the management, in requests and in characters; what comes besides is not kept. */
const waitingMax = 500
const charactersMax = 8 * 1024 * 1024

/** Brings requests that are kept to the management. */
export class StoredRequestsCollector {
  readonly #link: ManagementLink
  readonly #log: Log
  #waiting: StoredRequest[] = []
  #characters = 0

  constructor(link: ManagementLink, log: Log) {
    this.#link = link
    this.#log = log
  }

  take(requests: readonly StoredRequest[]): void {
    for (const request of requests) {
      const size = sizeOf(request)
      if (this.#waiting.length >= waitingMax || this.#characters + size > charactersMax) return
      this.#waiting.push(request)
      this.#characters += size
    }
  }

  /** Brings them every second until the signal is aborted. */
  run(signal: AbortSignal): Promise<void> {
    return regularly(intervalMs, signal, () => this.flush(signal))
  }

  /** Brings what there is; what the management does not take waits for the next time. */
  async flush(signal: AbortSignal): Promise<void> {
    while (this.#waiting.length > 0) {
      const requests = this.#waiting.splice(0, storedTrafficMax.requestsOfMessage)
      this.#characters -= requests.reduce((sum, request) => sum + sizeOf(request), 0)
      const waiting = await bringDivided(
        requests,
        (part) => this.#link.storedRequests({ requests: part }, signal),
        (error, isGivenUp) => {
          this.#log[isGivenUp ? 'warn' : 'debug'](
            { reason: describe(error) },
            'the management does not take requests that are kept',
          )
        },
      )
      this.take(waiting)
      if (waiting.length > 0) return
    }
  }
}

function sizeOf({ target, headers, body = '' }: StoredRequest): number {
  return headers.reduce((sum, text) => sum + text.length, target.length + body.length)
}
