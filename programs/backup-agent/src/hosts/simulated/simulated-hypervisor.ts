import { HostFailure, type HostProblem } from '../failure.ts'
import type {
  HostCapabilities,
  HostSettings,
  Screen,
  UnsupportedReason,
  VirtualSwitch,
} from '../host-driver.ts'
import type { MachineDefinition } from '../machine.ts'

/** What can be set about a simulated host; see `SimulatedHost`. */
export interface SimulatedLimits {
  readonly unsupportedReasons: readonly UnsupportedReason[]
  readonly capabilities: HostCapabilities
  readonly settings: HostSettings
  readonly switches: readonly VirtualSwitch[]
  /** Folders whose files the host cannot use, beside those that are not there. */
  readonly unusableFolders: readonly string[]
  /** What the host fails with whenever it is asked for anything; undefined when it works. */
  readonly failure: HostProblem | undefined
  /** Whether guests shut down when they are asked to. */
  readonly guestsObey: boolean
  /** What every guest writes to its serial line when it is started. */
  readonly serialOutput: string
  /** What every running guest shows; undefined when the host cannot tell. */
  readonly screen: Screen | undefined
  /** Whether machines can run before their disks are complete. */
  readonly startsInstantly: boolean
}

/** A step at which a driver of the simulated host can be cut off. */
export type SimulatedStep =
  | 'define'
  | 'complete-definition'
  | 'start'
  | 'move-over'
  | 'stop'
  | 'remove-disks'
  | 'remove'

/** A machine as the hypervisor keeps it. */
export interface SimulatedMachine {
  readonly definition: MachineDefinition
  isComplete: boolean
  isRunning: boolean
  /** Whether it runs before its disks are complete. */
  needsOrigins?: boolean
  serial: string
}

const plentiful: SimulatedLimits = {
  unsupportedReasons: [],
  capabilities: {
    hypervisor: { name: 'simulated', version: '1' },
    firmware: ['bios', 'uefi'],
    diskFormats: ['vhd', 'vhdx', 'raw'],
    cores: { default: 1, minimum: 1, maximum: 8, increment: 1 },
    memoryMebibytes: { default: 1024, minimum: 32, maximum: 65_536, increment: 1 },
    disksMaximum: { bios: 4, uefi: 64 },
    canRecordSerial: true,
  },
  settings: { virtualDisksPath: '/simulated/disks', machinesPath: '/simulated/machines' },
  switches: [{ id: '3d1f9f7c-5a5b-4f0e-9b0e-0d9b8f1c2a34', name: 'simulated switch' }],
  unusableFolders: [],
  failure: undefined,
  guestsObey: true,
  serialOutput: 'simulated guest is up\n',
  screen: undefined,
  startsInstantly: false,
}

/** What a hypervisor in memory is at a time: its machines, its limits, and what is to go wrong. Disk files are real ones. */
export class SimulatedHypervisor {
  readonly #limits: SimulatedLimits
  readonly machines = new Map<string, SimulatedMachine>()
  /** Names of machines that are not ours. */
  readonly foreignNames = new Set<string>()
  #failures = new Map<SimulatedStep, Error>()

  /** @param limits what differs from a host that has everything */
  constructor(limits: Partial<SimulatedLimits> = {}) {
    this.#limits = { ...plentiful, ...limits }
  }

  get limits(): SimulatedLimits {
    return this.#limits
  }

  /** Lets the next attempt at this step fail before it changes anything; earlier steps of the call have happened. */
  failNext(step: SimulatedStep, failure: Error): void {
    this.#failures.set(step, failure)
  }

  /** Called by drivers before each change. */
  async enter(step: SimulatedStep): Promise<void> {
    const failure = this.#failures.get(step)
    this.#failures.delete(step)
    if (failure !== undefined) throw failure
  }

  /** Called by drivers after each change. */
  changed(): void {
    // What is in memory is all there is.
  }

  /** @throws HostFailure what the host is set to fail with */
  requireWorking(): void {
    const { failure } = this.limits
    if (failure !== undefined) throw new HostFailure(failure, 'the simulated host is set to fail')
  }
}
