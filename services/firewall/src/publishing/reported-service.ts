import type { ProxyReport, ReportedService } from '@palisade/proxy-protocol'

/** The services of each report by their names: all of thousands are looked for, one after the other. */
const byName = new WeakMap<ProxyReport, ReadonlyMap<string, ReportedService>>()

/** What a proxy says of a service; undefined for nothing. */
export function reportedService(report: ProxyReport, name: string): ReportedService | undefined {
  const services = byName.get(report) ?? new Map(report.services.map((service) => [service.name, service]))
  byName.set(report, services)
  return services.get(name)
}
