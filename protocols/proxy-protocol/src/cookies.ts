import type { SnapshotKey } from './rewriting.ts'
import type { SnapshotAddedAttributes, SnapshotCookieProtection } from './settings.generated.ts'

/** How the cookies of servers are protected on their way to clients and back. */
export interface SnapshotCookieSecurity extends SnapshotCookieProtection {
  /** The first seals, all open. Never empty. */
  readonly keys: readonly SnapshotKey[]
  /** What has to be as it was when the cookie was set. */
  readonly bindsToAddress: boolean
  /** Likewise; request headers in lower case. */
  readonly bindsToHeaders: readonly string[]
  /** For how long cookies pass that were never sealed, from when a proxy first knows of it, in days; absent for ever. */
  readonly takesUnsealedDays?: number
  /** Attributes that cookies get. */
  readonly adds: SnapshotAddedAttributes
}
