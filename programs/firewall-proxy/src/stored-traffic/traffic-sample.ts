import type { SnapshotService, StoredRequest } from '@palisade/proxy-protocol'
import type { Exchange } from '../exchange/exchange.ts'
import type { Masking } from '../logs/masking.ts'
import { formMasking, isRefused, maskedRequest } from './masked-request.ts'

/** How many requests a worker keeps of one service in a minute: who sends more of one sort does not push out what others sent. */
const refusedPerMinute = 60
const ordinaryPerMinute = 20
const minuteMs = 60_000

/** What was kept of a service since the minute began. */
interface Sample {
  readonly masking: Masking
  since: number
  refused: number
  ordinary: number
  /** Ordinary requests since the last one that was kept. */
  passedOver: number
}

/** Chooses which requests of services are kept that ask for that: refused ones preferably. */
export class TrafficSample {
  readonly #keep: (request: StoredRequest) => void
  readonly #samples = new WeakMap<SnapshotService, Sample>()

  constructor(keep: (request: StoredRequest) => void) {
    this.#keep = keep
  }

  /** A request's response was sent, or its client has gone. */
  ended(exchange: Exchange, now: number): void {
    const { service } = exchange.runtime
    if (service.storedTraffic === undefined || exchange.isTunnel) return
    const sample = this.#sampleOf(service, now)
    if (!isWanted(sample, exchange, service.storedTraffic.ordinaryShare)) return
    const request = maskedRequest(exchange, sample.masking)
    if (request !== undefined) this.#keep(request)
  }

  #sampleOf(service: SnapshotService, now: number): Sample {
    const sample = this.#samples.get(service) ?? {
      masking: formMasking(service.maskedParameters),
      since: now,
      refused: 0,
      ordinary: 0,
      passedOver: Number.POSITIVE_INFINITY,
    }
    this.#samples.set(service, sample)
    if (now - sample.since >= minuteMs) Object.assign(sample, { since: now, refused: 0, ordinary: 0 })
    return sample
  }
}

/** The first ordinary request is, and then one of so many. */
function isWanted(sample: Sample, exchange: Exchange, share: number): boolean {
  if (isRefused(exchange)) return ++sample.refused <= refusedPerMinute
  if (++sample.passedOver < share) return false
  sample.passedOver = 0
  return ++sample.ordinary <= ordinaryPerMinute
}
