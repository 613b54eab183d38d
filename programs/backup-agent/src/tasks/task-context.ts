import type { Log } from '@palisade/log'
import type { BackupSettings } from '../backup/settings.ts'
import type { AllowedDestinations } from '../destinations/allowed-destinations.ts'
import type { OwnKey } from '../end-to-end/own-key.ts'
import type { Hosts } from '../hosts/hosts.ts'
import type { ServerConnection } from '../server/connection.ts'
import type { ServerClient } from '../server/exchange.ts'
import type { Patience } from '../server/persist.ts'
import type { ShareSettings } from '../shares/share-settings.ts'
import type { Journal } from '../state/journal.ts'
import type { ChangeTracking } from '../tracking/change-tracking.ts'
import type { Snapshots } from '../volumes/snapshots/snapshots.ts'
import type { ChunkWorkers } from '../workers/chunk-workers.ts'
import type { Progress } from './progress.ts'

/** What a task is given to do its work with. */
export interface TaskContext {
  readonly connection: ServerConnection
  /** Requests of the main thread; workers make their own. */
  readonly client: ServerClient
  readonly patience: Patience
  readonly workers: ChunkWorkers
  readonly journal: Journal
  /** Temporary files may lie here; it is emptied when the agent starts. */
  readonly workDirectory: string
  /** How shares of the network are got at. */
  readonly shares: ShareSettings
  /** Where restores may write to. */
  readonly destinations: AllowedDestinations
  /** Whether disks that are restored are read back from the disk, and not from the system's cache. */
  readonly verifiesFromDisk: boolean
  /** The hypervisors that machines can be made on. */
  readonly hosts: Hosts
  readonly backup: BackupSettings
  /** The key of its own that the computer's backups are sealed with; undefined when it has none. */
  readonly ownKey: OwnKey | undefined
  readonly snapshots: Snapshots
  readonly tracking: ChangeTracking
  readonly progress: Progress
  readonly log: Log
  /** Aborted when the task is cancelled or the agent stops. The task then removes what it began and rejects. */
  readonly signal: AbortSignal
}

/** Why a task is aborted: its outcome is then "cancelled", or there is none because the agent ends. */
export type AbortReason = 'cancelled' | 'stopping'

/** Whether the agent is ending, and will go on with the task when it is started again. */
export function isStopping(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason === ('stopping' satisfies AbortReason)
}
