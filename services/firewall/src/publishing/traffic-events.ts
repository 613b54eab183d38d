import type { Log } from '@palisade/platform'
import type { ProxyReport, ReportedServer } from '@palisade/proxy-protocol'
import type { SystemEvent, SystemLog } from '../logs/system-log.ts'
import { eventIds } from './event-ids.ts'
import type { ReportListener } from './proxy-reports.ts'
import { reportedService } from './reported-service.ts'

/** How many events one report can make; whoever has the credential of proxies must not fill the log by one message. */
const eventsOfReportMax = 100

/** Writes into the system log what becomes of proxies, services and servers, as proxies report it. */
export class TrafficEvents implements ReportListener {
  readonly #system: SystemLog
  readonly #log: Log

  constructor({ system, log }: { system: SystemLog; log: Log }) {
    this.#system = system
    this.#log = log
  }

  reported(before: ProxyReport | undefined, now: ProxyReport): void {
    this.#write(eventsBetween(before, now).slice(0, eventsOfReportMax))
  }

  silent(proxy: string): void {
    const message = `The proxy ${proxy} has not reported for half a minute.`
    this.#write([{ module: 'Proxy', eventId: eventIds.proxySilent, severity: 'Alert', message }])
  }

  #write(events: readonly SystemEvent[]): void {
    for (const event of events) {
      this.#system
        .append(event)
        .catch((error: unknown) => this.#log.error({ err: error }, 'an event could not be logged'))
    }
  }
}

/** What a report says that the one before did not say. */
function eventsBetween(before: ProxyReport | undefined, now: ProxyReport): SystemEvent[] {
  const { proxy, rules, problem, rulesProblem } = now
  const events: SystemEvent[] = []
  if (before === undefined) {
    const judging = rules?.release ? ` It judges by ${rules.release}.` : ''
    const message = `The proxy ${proxy} reports.${judging}`
    events.push({ module: 'Proxy', eventId: eventIds.proxyThere, severity: 'Notice', message })
  }
  if (problem !== '' && problem !== before?.problem) {
    const message = `The proxy ${proxy} has not taken the newest configuration. ${problem}`
    events.push({ module: 'Proxy', eventId: eventIds.configurationRefused, severity: 'Alert', message })
  }
  if (rulesProblem !== '' && rulesProblem !== before?.rulesProblem) {
    const message = `The proxy ${proxy} judges by no rules. ${rulesProblem}`
    events.push({ module: 'Web Firewall', eventId: eventIds.noRules, severity: 'Alert', message })
  }
  // Those that a proxy has not told anew.
  if (before?.services === now.services) return events
  for (const service of now.services) {
    const { name, isUp, reason, servers } = service
    const former = before && reportedService(before, name)
    if (former === service) continue
    // A service that is up at first is nothing to tell of; one that is down is.
    if ((former?.isUp ?? true) !== isUp) {
      const event = isUp
        ? ({ eventId: eventIds.serviceUp, severity: 'Notice' } as const)
        : ({ eventId: eventIds.serviceDown, severity: 'Alert' } as const)
      events.push({ module: 'Service', ...event, message: sentence(`The service ${name}`, isUp, reason) })
    }
    for (const server of servers) {
      const earlier = former?.servers.find((one) => one.name === server.name && one.rule === server.rule)
      if ((earlier?.isUp ?? true) === server.isUp) continue
      const event = server.isUp
        ? ({ eventId: eventIds.serverUp, severity: 'Notice' } as const)
        : ({ eventId: eventIds.serverDown, severity: 'Warning' } as const)
      const message = sentence(`The server ${placeOf(name, server)}`, server.isUp, server.reason)
      events.push({ module: 'Load Balancer', ...event, message })
    }
  }
  return events
}

function placeOf(service: string, { name, rule }: ReportedServer): string {
  return rule === undefined ? `${service}/${name}` : `${service}/${rule}/${name}`
}

function sentence(subject: string, isUp: boolean, reason: string): string {
  return `${subject} is ${isUp ? 'up' : 'down'}.${isUp || reason === '' ? '' : ` ${reason}`}`
}
