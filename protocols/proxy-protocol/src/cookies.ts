import type { SnapshotKey } from './rewriting.ts'

/** How the cookies of servers are protected on their way to clients and back. */
export interface SnapshotCookieSecurity {
  /** The first seals, all open. Never empty. */
  readonly keys: readonly SnapshotKey[]
  readonly does: 'sign' | 'encrypt' | 'nothing'
  /** Names of cookies that are left alone; `*` stands for any characters. */
  readonly exempted: readonly string[]
  /** For how long a sealed cookie is taken, in seconds; 0 for any time. */
  readonly ageMaxSeconds: number
  /** What has to be as it was when the cookie was set. */
  readonly bindsToAddress: boolean
  /** Likewise; request headers in lower case. */
  readonly bindsToHeaders: readonly string[]
  /** For how long cookies pass that were never sealed, from when a proxy first knows of it, in days; absent for ever. */
  readonly takesUnsealedDays?: number
  /** Attributes that cookies get. */
  readonly adds: {
    readonly httpOnly: boolean
    readonly secure: boolean
    readonly sameSite?: 'Lax' | 'None' | 'Strict'
  }
}
