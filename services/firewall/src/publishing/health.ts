import type { Attention } from '@palisade/platform'
import type { ProxyReport } from '@palisade/proxy-protocol'
import { clientConnections, proxyList } from '../features/services/clients.ts'
import { text } from '../kinds/conversions.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { valuesOf } from '../objects/content.ts'
import type { Health } from '../rest/operational.ts'
import type { PublishedSnapshot } from './compile-snapshot.ts'
import { unenforcedMembers } from './enforcement.ts'
import { notUnderstood } from './not-understood.ts'
import { reportedService } from './reported-service.ts'

/**
 * How a service fares, by what all proxies tell: it is up when it is up everywhere.
 *
 * @param policy the security policy that it names @param ineffective what of it has no effect: sentences
 */
export function healthOfService(
  service: ConfigurationObject,
  policy: ConfigurationObject | undefined,
  published: PublishedSnapshot,
  reports: readonly ProxyReport[],
  ineffective: readonly string[],
): Health {
  const withheld = published.withheld.get(service.name)
  if (withheld !== undefined) return { status: 'Down', reason: withheld }
  if (reports.length === 0) return { status: 'Down', reason: 'Nothing that carries traffic has reported.' }
  const reportsOfService = reports.map((report) => ({ report, of: reportedService(report, service.name) }))
  const isUp = reportsOfService.every(({ of }) => of?.isUp === true)
  const reasons = reportsOfService.flatMap(({ report, of }) => [
    report.problem,
    of === undefined ? 'A proxy has not taken it over yet.' : of.reason,
    report.digest === published.snapshot.digest ? '' : 'The newest change is on its way to a proxy.',
  ])
  return {
    status: isUp ? 'Up' : 'Down',
    reason: inSentences([
      ...reasons,
      ...ineffective,
      believesEverybody(service),
      ...unobeyed(service),
      ...(policy ? unobeyed(policy) : []),
    ]),
  }
}

/** How a server of a service or of a content rule fares, by the traffic that proxies sent to it. */
export function healthOfServer(server: ConfigurationObject, reports: readonly ProxyReport[]): Health {
  const [service = ''] = server.path
  const rule = server.path.length === 3 ? server.path[1] : undefined
  const states = reports.flatMap(
    (report) =>
      reportedService(report, service)?.servers.find(
        (one) => one.name === server.name && one.rule === rule,
      ) ?? [],
  )
  if (states.length === 0) {
    return { status: 'Unknown', reason: inSentences(['No traffic has gone there yet.', notEnforced(server)]) }
  }
  const isUp = states.every((one) => one.isUp)
  const reasons = states.map(({ reason }) => reason)
  return { status: isUp ? 'Up' : 'Down', reason: inSentences([...reasons, notEnforced(server)]) }
}

/** The servers of applications to which proxies find no way, as the proxies tell this management. */
export function serversDown(reports: readonly ProxyReport[]): Attention[] {
  return reports.flatMap(({ services }) =>
    services.flatMap(({ name, servers }) => {
      const down = servers.filter(({ isUp }) => !isUp)
      return down.map(
        (server): Attention => ({
          condition: 'server-down',
          subject: `server ${name}/${server.rule === undefined ? '' : `${server.rule}/`}${server.name}`,
          severity: down.length === servers.length ? 'critical' : 'warning',
          message: server.reason === '' ? 'The proxies do not reach it.' : server.reason,
          isOfServer: true,
          remedy: 'start the application, or correct its address and port',
        }),
      )
    }),
  )
}

/** Interfaces belong to the host, whose settings are kept here and changed nowhere. */
export const healthOfInterface: Health = {
  status: 'Unknown',
  reason: 'Interfaces belong to the host, and are not looked at.',
}

/** What a service believes of whoever connects to it, while it does not say which proxies are before it. */
function believesEverybody(service: ConfigurationObject): string {
  const header = text(valuesOf(service.content, 'basic-security')['client-ip-addr-header'])
  const takesProxyHeader = clientConnections.of(service).expectsProxyHeader === true
  const places = [...(header === '' ? [] : [header]), ...(takesProxyHeader ? ['its PROXY header'] : [])]
  if (places.length === 0 || proxyList.of(service) !== undefined) return ''
  return (
    `Every client is believed what it says of its address in ${places.join(' and ')}: ` +
    'name your proxies in advanced-configuration proxy-list, and set proxy-list-status to Yes.'
  )
}

function unobeyed(object: ConfigurationObject): string[] {
  return [notEnforced(object), ...notUnderstood(object)]
}

function notEnforced(object: ConfigurationObject): string {
  const members = unenforcedMembers(object)
  const whose = object.kind.name === 'security-policy' ? ` of the policy ${object.name}` : ''
  return members.length === 0 ? '' : `Kept, not enforced yet${whose}: ${members.join(', ')}.`
}

function inSentences(parts: readonly string[]): string {
  return [...new Set(parts.filter((part) => part !== ''))].join(' ')
}
