import type { HostDriver } from '../host-driver.ts'
import { SimulatedHostDriver, SimulatedInstantDriver } from './simulated-drivers.ts'
import { SimulatedHypervisor } from './simulated-hypervisor.ts'

/**
 * A hypervisor in memory, with limits that no machine here has: no VHDX, no UEFI, little memory. It outlives its drivers,
 * as a hypervisor does; each `driver()` is a client of it.
 */
export class SimulatedHost extends SimulatedHypervisor {
  driver(): HostDriver {
    return this.limits.startsInstantly ? new SimulatedInstantDriver(this) : new SimulatedHostDriver(this)
  }
}
