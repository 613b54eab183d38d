import { accessLog } from './types/access.ts'
import { auditLog } from './types/audit.ts'
import { networkFirewallLog } from './types/network-firewall.ts'
import { systemLog } from './types/system.ts'
import { webFirewallLog } from './types/web-firewall.ts'

/** Every type of log, by its name. */
export const logTypes = {
  access: accessLog,
  'web-firewall': webFirewallLog,
  audit: auditLog,
  'network-firewall': networkFirewallLog,
  system: systemLog,
} as const

/** The five logs. */
export type LogName = keyof typeof logTypes

/** The names of all five. */
export const logNames: readonly LogName[] = [
  accessLog,
  webFirewallLog,
  auditLog,
  networkFirewallLog,
  systemLog,
].map(({ name }) => name)

/**
 * What is written into a log: `time` in milliseconds since 1970 (the moment of writing when left out) and any of
 * the type's fields, as text or, where the field is a number, as either.
 */
export type LogEntry<Name extends LogName> = { readonly time?: number } & {
  readonly [Field in Exclude<keyof (typeof logTypes)[Name]['fields'], 'id' | 'time'>]?: string | number
}
