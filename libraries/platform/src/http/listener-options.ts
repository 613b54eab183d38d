import type { Challenges } from '@palisade/acme-challenges'
import type { Log } from '@palisade/log'
import type { ErrorEnvelope } from '../refusal.ts'
import type { UnknownCallerLimits } from './unknown-callers.ts'

/** What a listener serves, whom it trusts and how much it accepts. */
export interface ListenerOptions {
  readonly log: Log
  /** The envelope of whatever serves this path; also for requests that never reach a route. */
  readonly envelopeAt: (path: string) => ErrorEnvelope
  /** Addresses and networks whose X-Forwarded-For is believed; nobody's when empty. */
  readonly trustedProxies?: readonly string[]
  /** The largest body that a route takes unless it says otherwise, in bytes. */
  readonly bodySizeMax?: number
  /** What certificate authorities are answered at both ports; nothing when left out. */
  readonly challenges?: Challenges | undefined
  /** The usual ones when left out. */
  readonly unknownCallers?: UnknownCallerLimits
}
