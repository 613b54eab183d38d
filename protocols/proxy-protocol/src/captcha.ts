import type { SnapshotPage, SnapshotPlace } from './policy.ts'
import type { SnapshotKey } from './rewriting.ts'
import type { SnapshotDdosPolicySettings } from './settings.generated.ts'

/** How clients show that they are no programs: by a challenge that a browser solves. */
export interface SnapshotCaptcha {
  /** With which challenges and their solutions are sealed. The first seals, all open. Never empty. */
  readonly keys: readonly SnapshotKey[]
  /** How long a solution counts for clients that an attack has sent here. */
  readonly expirySeconds: number
  /** Whether whoever has solved it is shown a page that says so, and not led on to what was asked for. */
  readonly showsSuccess: boolean
  /** How long a client is suspicious one of whose requests was refused. */
  readonly suspicionSeconds: number
  /** Clients that no policy asks: addresses, ranges with "-" and networks with "/". */
  readonly exceptions: readonly string[]
  /** Most specific first. */
  readonly policies: readonly SnapshotDdosPolicy[]
  readonly pages: {
    /** Sent where `%challenge` is in it; a page of the proxy's own otherwise. */
    readonly challenge: SnapshotPage
    readonly tooManyTries: SnapshotPage
    readonly tooManyUnanswered: SnapshotPage
  }
}

/** Where clients have to solve a challenge. */
export interface SnapshotDdosPolicy extends SnapshotPlace, SnapshotDdosPolicySettings {
  readonly name: string
}
