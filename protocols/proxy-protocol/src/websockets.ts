import type { SnapshotPlace } from './policy.ts'
import type { SnapshotMessageSecurity, SnapshotWebSocketSettings } from './settings.generated.ts'

/** How the WebSockets of an address are checked, while they open and afterwards. */
export interface SnapshotWebSocketPolicy extends SnapshotPlace, SnapshotWebSocketSettings {
  readonly name: string
  /** Whether what is found is only logged. */
  readonly isPassive: boolean
  /** Present when the messages of clients are looked at. */
  readonly messages?: SnapshotMessageSecurity
}
