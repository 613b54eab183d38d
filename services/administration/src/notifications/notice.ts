import type { Severity } from '@palisade/platform'
import type { ChannelKind } from '../notification-configuration.ts'

/** Word of one condition, as channels tell of it. */
export interface Notice {
  readonly kind: 'raised' | 'resolved' | 'test'
  readonly service: string
  readonly condition: string
  readonly subject: string
  readonly severity: Severity
  readonly message: string
  readonly remedy: string
  /** Milliseconds since 1970. */
  readonly since: number
  readonly resolvedAt: number | null
}

/** What goes to a channel at once. */
export interface Delivery {
  /** The same when it is sent again, since nobody knows whether it has arrived. */
  readonly id: string
  /** The name of the server that sends. */
  readonly server: string
  readonly notices: readonly Notice[]
}

/** Sends to one channel. */
export interface Sender {
  readonly kind: ChannelKind
  /**
   * @param now in milliseconds since 1970
   * @throws Error that says why it was not taken, without secrets
   */
  send(delivery: Delivery, now: number, signal: AbortSignal): Promise<void>
}

/** "CRITICAL backup: no good backup of computer main/0001" */
export function headlineOf({ kind, severity, service, condition, subject }: Notice): string {
  const word = kind === 'resolved' ? 'RESOLVED' : kind === 'test' ? 'TEST' : severity.toUpperCase()
  return [`${word} ${service}: ${condition.replaceAll('-', ' ')}`, subject]
    .filter((part) => part !== '')
    .join(', ')
}
