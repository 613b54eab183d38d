import type { TaskContext } from '../tasks/task-context.ts'
import type { ChangeTracking } from '../tracking/change-tracking.ts'
import type { Snapshots } from '../volumes/snapshots/snapshots.ts'
import type { BackupSettings } from './settings.ts'

/** What a backup is given to do its work with. */
export interface BackupContext extends TaskContext {
  readonly backup: BackupSettings
  readonly snapshots: Snapshots
  readonly tracking: ChangeTracking
}
