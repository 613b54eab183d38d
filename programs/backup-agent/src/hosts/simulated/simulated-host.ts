import { checkDefinition } from '../check-definition.ts'
import { checkDisksUsable, removeDiskFiles } from '../disk-files.ts'
import { machineAbsent, machineDiffers, machineUnfinished, nameTaken } from '../failure.ts'
import type {
  HostCapabilities,
  HostDriver,
  HostSettings,
  StopOutcome,
  UnsupportedReason,
  VirtualSwitch,
} from '../host-driver.ts'
import {
  isSameDefinition,
  type Machine,
  type MachineDefinition,
  type MachineState,
  type NamedMachine,
} from '../machine.ts'

/** What can be set about a simulated host; see `SimulatedHost`. */
export interface SimulatedLimits {
  readonly unsupportedReasons: readonly UnsupportedReason[]
  readonly capabilities: HostCapabilities
  readonly settings: HostSettings
  readonly switches: readonly VirtualSwitch[]
  /** Whether guests shut down when they are asked to. */
  readonly guestsObey: boolean
  /** What every guest writes to its serial line when it is started. */
  readonly serialOutput: string
}

/** A step at which a driver of the simulated host can be cut off. */
export type SimulatedStep = 'define' | 'complete-definition' | 'start' | 'stop' | 'remove-disks' | 'remove'

interface SimulatedMachine {
  readonly definition: MachineDefinition
  isComplete: boolean
  isRunning: boolean
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
  guestsObey: true,
  serialOutput: 'simulated guest is up\n',
}

/**
 * A hypervisor in memory, with limits that no machine here has: no VHDX, no UEFI, little memory. It outlives its drivers,
 * as a hypervisor does; each `driver()` is a client of it. Disk files are real ones.
 */
export class SimulatedHost {
  readonly limits: SimulatedLimits
  readonly machines = new Map<string, SimulatedMachine>()
  /** Names of machines that are not ours. */
  readonly foreignNames = new Set<string>()
  #failures = new Map<SimulatedStep, Error>()

  /** @param limits what differs from a host that has everything */
  constructor(limits: Partial<SimulatedLimits> = {}) {
    this.limits = { ...plentiful, ...limits }
  }

  driver(): HostDriver {
    return new SimulatedHostDriver(this)
  }

  /** Lets the next attempt at this step fail before it changes anything; earlier steps of the call have happened. */
  failNext(step: SimulatedStep, failure: Error): void {
    this.#failures.set(step, failure)
  }

  /** Called by drivers before each change. */
  enter(step: SimulatedStep): void {
    const failure = this.#failures.get(step)
    this.#failures.delete(step)
    if (failure !== undefined) throw failure
  }
}

class SimulatedHostDriver implements HostDriver {
  readonly #host: SimulatedHost

  constructor(host: SimulatedHost) {
    this.#host = host
  }

  async unsupportedReasons(): Promise<readonly UnsupportedReason[]> {
    return this.#host.limits.unsupportedReasons
  }

  async capabilities(): Promise<HostCapabilities> {
    return this.#host.limits.capabilities
  }

  async settings(): Promise<HostSettings> {
    return this.#host.limits.settings
  }

  async virtualSwitches(): Promise<readonly VirtualSwitch[]> {
    return this.#host.limits.switches
  }

  async define(definition: MachineDefinition, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    const { capabilities, switches } = this.#host.limits
    checkDefinition(definition, { capabilities, switches })
    await checkDisksUsable(definition.disks)
    const existing = this.#host.machines.get(definition.id)
    if (existing?.isComplete) {
      if (isSameDefinition(existing.definition, definition)) return
      throw machineDiffers(definition.id)
    }
    if (await this.#isTaken(definition)) throw nameTaken(definition.name)
    this.#host.enter('define')
    const machine = { definition, isComplete: false, isRunning: false, serial: '' }
    this.#host.machines.set(definition.id, machine)
    this.#host.enter('complete-definition')
    machine.isComplete = true
  }

  async start(id: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    const machine = this.#complete(id)
    if (machine.isRunning) return
    await checkDisksUsable(machine.definition.disks)
    this.#host.enter('start')
    machine.isRunning = true
    machine.serial = machine.definition.recordSerial === true ? this.#host.limits.serialOutput : ''
  }

  async stop(id: string, graceMs: number, signal?: AbortSignal): Promise<StopOutcome> {
    signal?.throwIfAborted()
    const machine = this.#complete(id)
    if (!machine.isRunning) return 'was-off'
    this.#host.enter('stop')
    machine.isRunning = false
    return graceMs > 0 && this.#host.limits.guestsObey ? 'graceful' : 'hard'
  }

  async state(id: string): Promise<MachineState> {
    const machine = this.#host.machines.get(id)
    return machine === undefined ? 'absent' : stateOf(machine)
  }

  async remove(id: string, { disks }: { readonly disks: boolean }): Promise<void> {
    const machine = this.#host.machines.get(id)
    if (machine === undefined) return
    machine.isRunning = false
    this.#host.enter('remove-disks')
    if (disks && machine.isComplete) await removeDiskFiles(machine.definition.disks)
    this.#host.enter('remove')
    this.#host.machines.delete(id)
  }

  async find(name: string): Promise<NamedMachine | undefined> {
    for (const { definition } of this.#host.machines.values()) {
      if (definition.name === name) return { name, id: definition.id }
    }
    return this.#host.foreignNames.has(name) ? { name } : undefined
  }

  async list(): Promise<readonly Machine[]> {
    return [...this.#host.machines.values()].map((machine) => ({
      id: machine.definition.id,
      name: machine.definition.name,
      state: stateOf(machine),
    }))
  }

  async serialOutput(id: string): Promise<Buffer> {
    return Buffer.from(this.#complete(id).serial)
  }

  #complete(id: string): SimulatedMachine {
    const machine = this.#host.machines.get(id)
    if (machine === undefined) throw machineAbsent(id)
    if (!machine.isComplete) throw machineUnfinished(id)
    return machine
  }

  async #isTaken({ id, name }: MachineDefinition): Promise<boolean> {
    const named = await this.find(name)
    return named !== undefined && named.id !== id
  }
}

function stateOf({ isComplete, isRunning }: SimulatedMachine): Machine['state'] {
  if (!isComplete) return 'unfinished'
  return isRunning ? 'running' : 'off'
}
