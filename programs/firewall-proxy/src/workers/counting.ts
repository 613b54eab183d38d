import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Exchange } from '../exchange/exchange.ts'
import { durationBoundsSeconds, type ServiceFigures, type WorkerFigures } from './messages.ts'

const nanosecondsPerSecond = 1e9

/** Statuses with which we answer when a server did not. */
const gatewayFailures: ReadonlySet<number> = new Set([502, 504])

/** Counts what one worker does. Plain numbers: this runs for every request. */
export class Counting {
  readonly #services = new Map<string, ServiceFigures>()
  readonly #delay = monitorEventLoopDelay({ resolution: 10 })

  constructor() {
    this.#delay.enable()
  }

  /** A request has come. @param service its name */
  begin(service: string): void {
    this.#of(service).underWay++
  }

  /** It was answered, or its client has gone. @param now in milliseconds since 1970 */
  end(exchange: Exchange, now: number): void {
    const figures = this.#of(exchange.runtime.service.name)
    const { status } = exchange
    figures.underWay--
    const kind = status === undefined ? 'none' : `${Math.floor(status / 100)}xx`
    figures.requests[kind] = (figures.requests[kind] ?? 0) + 1
    figures.bytesReceived += exchange.bytesReceived
    figures.bytesSent += exchange.bytesSent
    if (isBlocked(exchange)) figures.blocked++
    if (isUpstreamFailure(exchange, status)) figures.upstreamFailures++
    const seconds = (now - exchange.startedAt) / 1000
    const bucket = durationBoundsSeconds.findIndex((bound) => seconds <= bound)
    const index = bucket < 0 ? durationBoundsSeconds.length : bucket
    figures.durations[index] = (figures.durations[index] ?? 0) + 1
    figures.durationSumSeconds += seconds
  }

  /**
   * Everything so far; the delay of the event loop since it was asked last.
   *
   * @param connections open ones, by service
   */
  figures(connections: ReadonlyMap<string, number>): WorkerFigures {
    for (const service of connections.keys()) this.#of(service)
    for (const [service, figures] of this.#services) figures.connections = connections.get(service) ?? 0
    const { user, system } = process.cpuUsage()
    const eventLoopDelaySeconds = {
      mean: secondsOf(this.#delay.mean),
      p99: secondsOf(this.#delay.percentile(99)),
      max: secondsOf(this.#delay.max),
    }
    this.#delay.reset()
    return {
      services: Object.fromEntries(this.#services),
      residentMemoryBytes: process.memoryUsage.rss(),
      cpuSeconds: (user + system) / 1e6,
      eventLoopDelaySeconds,
    }
  }

  #of(service: string): ServiceFigures {
    const counters = this.#services.get(service)
    if (counters !== undefined) return counters
    const figures: ServiceFigures = {
      requests: {},
      blocked: 0,
      bytesReceived: 0,
      bytesSent: 0,
      upstreamFailures: 0,
      underWay: 0,
      connections: 0,
      durations: new Array<number>(durationBoundsSeconds.length + 1).fill(0),
      durationSumSeconds: 0,
    }
    this.#services.set(service, figures)
    return figures
  }
}

function isBlocked({ interruption, violations }: Exchange): boolean {
  return interruption !== undefined || violations.some(({ action = 'DENY' }) => action === 'DENY')
}

function isUpstreamFailure({ server, answeredAt }: Exchange, status: number | undefined): boolean {
  return (
    server !== undefined && answeredAt === undefined && status !== undefined && gatewayFailures.has(status)
  )
}

/** 0 for what was never measured, which comes as NaN. */
function secondsOf(nanoseconds: number): number {
  return Number.isFinite(nanoseconds) ? nanoseconds / nanosecondsPerSecond : 0
}
