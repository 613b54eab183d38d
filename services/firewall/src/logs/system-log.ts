import type { LogStore } from './log-store.ts'

/** How serious something is, the worst first. */
export const severities = [
  'Emergency',
  'Alert',
  'Critical',
  'Error',
  'Warning',
  'Notice',
  'Information',
  'Debug',
] as const

/** As syslog orders them (RFC 5424). */
export type Severity = (typeof severities)[number]

/** Something that happened to the firewall itself. */
export interface SystemEvent {
  /** The part that it happened to: "Load Balancer", "SSL". */
  readonly module: string
  /** Tells one sort of event from another, whatever the message says. */
  readonly eventId: number
  readonly severity: Severity
  /** One sentence, without secrets. */
  readonly message: string
}

/** What happens to the firewall itself. */
export class SystemLog {
  readonly #logs: LogStore

  constructor(deps: { logs: LogStore }) {
    this.#logs = deps.logs
  }

  append({ module, eventId, severity, message }: SystemEvent): Promise<void> {
    return this.#logs.append('system', [{ module, 'event-id': eventId, severity, message }])
  }
}
