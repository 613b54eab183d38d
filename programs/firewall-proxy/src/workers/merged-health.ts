import type { ReportedServer, ReportedService } from '@palisade/proxy-protocol'
import { isSameReport, type ServiceChanges } from '../management/service-changes.ts'

/** What one worker said of a server, and when it first said so. */
interface Observation {
  readonly server: ReportedServer
  readonly since: number
}

/** What one worker said of a service, and of each of its servers. */
interface WorkerView {
  readonly service: ReportedService
  readonly observations: ReadonlyMap<string, Observation>
}

/** How services fare, out of what each worker says. Of thousands of services few change at a time, and no others are gone through. */
export class MergedHealth {
  /** By worker and service. */
  readonly #views = new Map<number, Map<string, WorkerView>>()
  readonly #merged = new Map<string, ReportedService>()
  #clock = 0
  /** Until a service fares otherwise. */
  #services: readonly ReportedService[] | undefined

  /** Takes what a worker says has changed since it last said something. */
  take(worker: number, { services, gone }: ServiceChanges): void {
    const views = this.#views.get(worker) ?? new Map<string, WorkerView>()
    this.#views.set(worker, views)
    this.#clock++
    for (const service of services) {
      const before = views.get(service.name)?.observations
      views.set(service.name, { service, observations: this.#observationsOf(service, before) })
      this.#merge(service.name)
    }
    for (const name of gone) {
      views.delete(name)
      this.#merge(name)
    }
  }

  /** A worker has ended. */
  forget(worker: number): void {
    const names = this.#views.get(worker)?.keys() ?? []
    this.#views.delete(worker)
    for (const name of names) this.#merge(name)
  }

  /**
   * A service is up when it is in every worker; what is wrong is said once. Of a server counts what was found out last, since
   * not all workers meet it at the same time. The same array until something has changed, and the same members for what has not.
   */
  get services(): readonly ReportedService[] {
    this.#services ??= [...this.#merged.values()]
    return this.#services
  }

  #observationsOf(
    { servers }: ReportedService,
    before: ReadonlyMap<string, Observation> | undefined,
  ): ReadonlyMap<string, Observation> {
    return new Map(
      servers.map((server) => {
        const key = keyOf(server)
        const last = before?.get(key)
        const isRepeated = last?.server.isUp === server.isUp && last.server.reason === server.reason
        return [key, isRepeated ? last : { server, since: this.#clock }]
      }),
    )
  }

  #merge(name: string): void {
    const views = [...this.#views.values()].flatMap((one) => one.get(name) ?? [])
    const before = this.#merged.get(name)
    if (views.length === 0) {
      this.#merged.delete(name)
    } else {
      const reasons = new Set(views.map(({ service }) => service.reason).filter((reason) => reason !== ''))
      const service = {
        name,
        isUp: views.every(({ service: { isUp } }) => isUp),
        reason: [...reasons].join(' '),
        servers: latestServers(views),
      }
      if (before !== undefined && isSameReport(before, service)) return
      this.#merged.set(name, service)
    }
    this.#services = undefined
  }
}

function latestServers(views: readonly WorkerView[]): ReportedServer[] {
  const keys = new Set(views.flatMap(({ observations }) => [...observations.keys()]))
  return [...keys].flatMap((key) => {
    const observations = views.flatMap((one) => one.observations.get(key) ?? [])
    const latest = observations.toSorted((one, other) => other.since - one.since)[0]
    return latest === undefined ? [] : [latest.server]
  })
}

function keyOf({ name, rule }: ReportedServer): string {
  return JSON.stringify([rule, name])
}
