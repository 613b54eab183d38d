import type { ProxyReport, ReportedService } from '@palisade/proxy-protocol'

/** The services of reports by their names: all of thousands are looked for, one after the other. Reports that follow each other often share them. */
const byName = new WeakMap<ProxyReport['services'], ReadonlyMap<string, ReportedService>>()

const down = new WeakMap<ProxyReport['services'], readonly ReportedService[]>()

/** What a proxy says of a service; undefined for nothing. */
export function reportedService(report: ProxyReport, name: string): ReportedService | undefined {
  return servicesByName(report.services).get(name)
}

/** The services that a proxy says are down. */
export function servicesDown({ services }: ProxyReport): readonly ReportedService[] {
  const downServices = down.get(services) ?? services.filter(({ isUp }) => !isUp)
  down.set(services, downServices)
  return downServices
}

/**
 * What a report says of all services, of which a proxy has told those that are new or fare otherwise than before.
 *
 * @param gone the names of those that are there no more
 */
export function servicesWith(
  before: ProxyReport['services'],
  changed: ProxyReport['services'],
  gone: readonly string[],
): ProxyReport['services'] {
  if (changed.length === 0 && gone.length === 0) return before
  const services = new Map(servicesByName(before))
  for (const name of gone) services.delete(name)
  for (const service of changed) services.set(service.name, service)
  const now = [...services.values()]
  byName.set(now, services)
  return now
}

function servicesByName(services: ProxyReport['services']): ReadonlyMap<string, ReportedService> {
  const namedServices = byName.get(services) ?? new Map(services.map((service) => [service.name, service]))
  byName.set(services, namedServices)
  return namedServices
}
