import type { Hosts } from '../hosts/hosts.ts'
import type { RestoreContext } from '../restore/restore-context.ts'

/** What a restore as a machine is given to do its work with. */
export interface MachineContext extends RestoreContext {
  /** The hypervisors that machines can be made on. */
  readonly hosts: Hosts
}
