import type { AllowedDestinations } from '../destinations/allowed-destinations.ts'
import type { ShareSettings } from '../shares/share-settings.ts'
import type { TaskContext } from '../tasks/task-context.ts'

/** What a restore is given to do its work with. */
export interface RestoreContext extends TaskContext {
  /** How network shares are reached. */
  readonly shares: ShareSettings
  /** Where restores may write to. */
  readonly destinations: AllowedDestinations
  /** Whether disks are read back from the disk, and not from the system's cache. */
  readonly verifiesFromDisk: boolean
}
