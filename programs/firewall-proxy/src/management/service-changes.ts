import type { ReportedService } from '@palisade/proxy-protocol'

/** What is new in a list of services. */
export interface ServiceChanges {
  /** Those that are new or fare otherwise than before. */
  readonly services: readonly ReportedService[]
  /** The names of those that are there no more. */
  readonly gone: readonly string[]
}

/** What has changed from one list of services to another, neither of which names one twice. */
export function serviceChanges(
  before: readonly ReportedService[],
  now: readonly ReportedService[],
): ServiceChanges {
  if (before === now) return { services: [], gone: [] }
  const left = new Map(before.map((service) => [service.name, service]))
  const services = now.filter((service) => {
    const old = left.get(service.name)
    left.delete(service.name)
    return old === undefined || !isSameReport(old, service)
  })
  return { services, gone: [...left.keys()] }
}

/** Whether two reports of one service say the same. */
export function isSameReport(one: ReportedService, other: ReportedService): boolean {
  if (one === other) return true
  return (
    one.isUp === other.isUp &&
    one.reason === other.reason &&
    one.servers.length === other.servers.length &&
    one.servers.every((server, at) => {
      const { name, rule, isUp, reason } = other.servers[at] ?? {}
      return server.name === name && server.rule === rule && server.isUp === isUp && server.reason === reason
    })
  )
}
