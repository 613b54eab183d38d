import type { ReportedServer, ReportedService } from '@palisade/proxy-protocol'

/** What one worker said of a server, and when it first said so. */
interface Observation {
  readonly server: ReportedServer
  readonly since: number
}

/** How services fare, out of what each worker says. */
export class MergedHealth {
  readonly #services = new Map<number, readonly ReportedService[]>()
  /** By worker, service and server. */
  readonly #observations = new Map<number, Map<string, Observation>>()
  #clock = 0
  /** Until a worker says something else. */
  #merged: readonly ReportedService[] | undefined

  /** Takes what a worker says. */
  take(worker: number, services: readonly ReportedService[]): void {
    this.#merged = undefined
    this.#services.set(worker, services)
    const before = this.#observations.get(worker)
    this.#clock++
    const observations = new Map<string, Observation>()
    for (const { name, servers } of services) {
      for (const server of servers) {
        const key = keyOf(name, server)
        const health = before?.get(key)
        const isKnown = health?.server.isUp === server.isUp && health.server.reason === server.reason
        observations.set(key, isKnown ? health : { server, since: this.#clock })
      }
    }
    this.#observations.set(worker, observations)
  }

  /** A worker has ended. */
  forget(worker: number): void {
    this.#merged = undefined
    this.#services.delete(worker)
    this.#observations.delete(worker)
  }

  /**
   * A service is up when it is in every worker; what is wrong is said once. Of a server counts what was found out last, since
   * not all workers meet it at the same time. The same array until something may have changed.
   */
  get services(): readonly ReportedService[] {
    this.#merged ??= this.#merge()
    return this.#merged
  }

  #merge(): ReportedService[] {
    const byName = Map.groupBy([...this.#services.values()].flat(), ({ name }) => name)
    return Array.from(byName, ([name, all]) => {
      return {
        name,
        isUp: all.every(({ isUp }) => isUp),
        reason: [...new Set(all.map(({ reason }) => reason).filter((reason) => reason !== ''))].join(' '),
        servers: this.#servers(name, all),
      }
    })
  }

  #servers(service: string, all: readonly ReportedService[]): ReportedServer[] {
    const keys = new Set(all.flatMap(({ servers }) => servers.map((server) => keyOf(service, server))))
    return [...keys].flatMap((key) => {
      const observations = [...this.#observations.values()].flatMap((one) => one.get(key) ?? [])
      const latest = observations.toSorted((one, other) => other.since - one.since)[0]
      return latest === undefined ? [] : [latest.server]
    })
  }
}

function keyOf(service: string, { name, rule }: ReportedServer): string {
  return JSON.stringify([service, rule, name])
}
