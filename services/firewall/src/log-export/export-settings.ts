import type { LiveConfiguration } from '../changes/live-configuration.ts'
import type { Values } from '../kinds/values.ts'
import { type LogName, logNames } from '../logs/log-types.ts'
import { type Severity, severities } from '../logs/system-log.ts'
import { valuesOf } from '../objects/content.ts'
import { readStoredCertificate } from '../objects/stored-certificate.ts'
import type { SyslogReceiver } from './syslog-sender.ts'

/** How the entries of one log are exported. */
export interface LogExport {
  readonly isEnabled: boolean
  /** 16 to 23: local0 to local7. */
  readonly facility: number
  readonly format: string
  /** Entries that are less grave than this are not exported; undefined for all. */
  readonly severityMax: number | undefined
}

/** Where logs are exported to, and how, as the configuration says now. */
export interface ExportSettings {
  readonly receivers: readonly SyslogReceiver[]
  readonly logs: Readonly<Record<LogName, LogExport>>
  /** The name of this system, where the configuration gives one. */
  readonly unit: string | undefined
}

const firstLocalFacility = 16
const customized = 'Customized Formats'
const defaultPorts = { udp: 514, tcp: 514, tls: 6514 } as const
const transports: Readonly<Record<string, SyslogReceiver['over']>> = { SSL: 'tls', TCP: 'tcp', UDP: 'udp' }

/** The members of the system that speak of a log, where they do not begin with its name. */
const formatNames: Readonly<Record<LogName, string>> = {
  access: 'access-logs',
  'web-firewall': 'web-firewall-logs',
  audit: 'audit-logs',
  'network-firewall': 'network-logs',
  system: 'system-logs',
}
const facilityNames: Readonly<Record<LogName, string>> = {
  access: 'access-log-facility',
  'web-firewall': 'web-firewall-log-facility',
  audit: 'audit-log-facility',
  'network-firewall': 'network-firewall-log-facility',
  system: 'syslog-facility',
}

/** Reads the syslog servers and the system's sections about exported logs. */
export function exportSettings(configuration: LiveConfiguration): ExportSettings {
  const { content, kind } = configuration.system()
  const section = (segment: string) => valuesOf(content, segment)
  const [enabled, filters, formats, facilities] = [
    section('export-log-settings'),
    section('export-log-filters'),
    section('logs-format'),
    section('syslog-settings'),
  ]
  const usual = kind.sections.find(({ segment }) => segment === 'logs-format')?.fields.defaults ?? {}
  const logs = logNames.map((name): [LogName, LogExport] => {
    const format = formatNames[name]
    const isCustom = formats[`${format}-standard-format`] === customized
    return [
      name,
      {
        isEnabled: enabled[`export-${name}-logs`] === 'Enable',
        facility: firstLocalFacility + Number(String(facilities[facilityNames[name]]).slice('local'.length)),
        format: String((isCustom ? formats : usual)[`${format}-custom-format`] ?? ''),
        severityMax: severityOf(filters[`${name}-log-severity`]),
      },
    ]
  })
  const authorities = configuration.objects('trusted-ca-certificate')
  const trusted = authorities.flatMap((object) => readStoredCertificate(object)?.certificate ?? [])
  return {
    receivers: configuration
      .objects('syslog-server')
      .flatMap((server) => receiverOf(server.content.values, trusted) ?? []),
    logs: Object.fromEntries(logs) as Record<LogName, LogExport>,
    unit: content.values.hostname === undefined ? undefined : String(content.values.hostname),
  }
}

/** How grave an entry is that says so: 0 to 7. */
export function gravityOf(severity: string | undefined): number | undefined {
  const index = severities.indexOf(severity as Severity)
  return index < 0 ? undefined : index
}

/** The port of a syslog server: the usual one of its transport where it says none. */
export function syslogPort(values: Values): number {
  return Number(values.port ?? defaultPorts[transportOf(values)])
}

function transportOf(values: Values): SyslogReceiver['over'] {
  return transports[String(values['connection-type'])] ?? 'udp'
}

/** Servers of other types speak protocols that are not spoken here. */
const sentType = 'Syslog NG'

/** To which syslog servers nothing is sent, and why: sentences. */
export function whyUnsent(configuration: LiveConfiguration): string[] {
  return configuration.objects('syslog-server').flatMap(({ name, content: { values } }) => {
    const type = values['server-type'] ?? sentType
    if (type !== sentType)
      return `No logs are sent to the syslog server ${name}: the type ${type} is not supported.`
    return values['ip-address'] === undefined
      ? `No logs are sent to the syslog server ${name}: it has no ip-address.`
      : []
  })
}

function receiverOf(values: Values, authorities: readonly string[]): SyslogReceiver | undefined {
  if ((values['server-type'] ?? sentType) !== sentType || values['ip-address'] === undefined) return undefined
  const over = transportOf(values)
  return {
    host: String(values['ip-address']),
    port: syslogPort(values),
    over,
    validatesCertificate: values['validate-server-certificate'] !== 'No',
    authorities,
  }
}

/** "5-Notice" is 5. */
function severityOf(level: Values[string] | undefined): number | undefined {
  return level === undefined ? undefined : Number.parseInt(String(level), 10)
}
