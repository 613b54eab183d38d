import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { checkDefinition } from '../check-definition.ts'
import { checkDisksUsable, removeDiskFiles } from '../disk-files.ts'
import { HostFailure, machineAbsent, machineDiffers, machineUnfinished, nameTaken } from '../failure.ts'
import type {
  HostCapabilities,
  HostDriver,
  HostSettings,
  Screen,
  StopOutcome,
  UnsupportedReason,
  VirtualSwitch,
} from '../host-driver.ts'
import type { CopyProgress, InstantHost, OriginOfDisk } from '../instant-host.ts'
import {
  isSameDefinition,
  type Machine,
  type MachineDefinition,
  type MachineDisk,
  type MachineState,
  type NamedMachine,
} from '../machine.ts'
import type { SimulatedHypervisor, SimulatedMachine } from './simulated-hypervisor.ts'

/** A client of a simulated host, which keeps everything. */
export class SimulatedHostDriver implements HostDriver {
  readonly #host: SimulatedHypervisor

  constructor(host: SimulatedHypervisor) {
    this.#host = host
  }

  async unsupportedReasons(): Promise<readonly UnsupportedReason[]> {
    return this.#host.limits.unsupportedReasons
  }

  async capabilities(): Promise<HostCapabilities> {
    this.#host.requireWorking()
    return this.#host.limits.capabilities
  }

  async settings(): Promise<HostSettings> {
    return this.#host.limits.settings
  }

  async virtualSwitches(): Promise<readonly VirtualSwitch[]> {
    return this.#host.limits.switches
  }

  async checkDisks(disks: readonly MachineDisk[]): Promise<void> {
    this.#host.requireWorking()
    await checkDisksUsable(disks)
    const { unusableFolders } = this.#host.limits
    const unusable = disks.find(({ path }) => unusableFolders.includes(dirname(path)))
    if (unusable === undefined) return
    const { path } = unusable
    throw new HostFailure({ code: 'disk-unusable', path }, `the host cannot read and write ${path}`)
  }

  async define(definition: MachineDefinition, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    this.#host.requireWorking()
    const { capabilities, switches } = this.#host.limits
    checkDefinition(definition, { capabilities, switches })
    await this.checkDisks(definition.disks)
    const existing = this.#host.machines.get(definition.id)
    if (existing?.isComplete) {
      if (isSameDefinition(existing.definition, definition)) return
      throw machineDiffers(definition.id)
    }
    if (await this.#isTaken(definition)) throw nameTaken(definition.name)
    await this.#host.enter('define')
    const machine = { definition, isComplete: false, isRunning: false, serial: '' }
    this.#host.machines.set(definition.id, machine)
    this.#host.changed()
    await this.#host.enter('complete-definition')
    machine.isComplete = true
    this.#host.changed()
  }

  async start(id: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    const machine = this.#complete(id)
    if (machine.isRunning) return
    await this.checkDisks(machine.definition.disks)
    await this.#host.enter('start')
    machine.isRunning = true
    machine.serial = machine.definition.recordSerial === true ? this.#host.limits.serialOutput : ''
    this.#host.changed()
  }

  async stop(id: string, graceMs: number, signal?: AbortSignal): Promise<StopOutcome> {
    signal?.throwIfAborted()
    const machine = this.#complete(id)
    if (!machine.isRunning) return 'was-off'
    await this.#host.enter('stop')
    machine.isRunning = false
    this.#host.changed()
    return graceMs > 0 && this.#host.limits.guestsObey ? 'graceful' : 'hard'
  }

  async state(id: string): Promise<MachineState> {
    const machine = this.#host.machines.get(id)
    return machine === undefined ? 'absent' : stateOf(machine)
  }

  async remove(id: string, { disks }: { readonly disks: boolean }): Promise<void> {
    this.#host.requireWorking()
    const machine = this.#host.machines.get(id)
    if (machine === undefined) return
    machine.isRunning = false
    await this.#host.enter('remove-disks')
    if (disks && machine.isComplete) await removeDiskFiles(machine.definition.disks)
    await this.#host.enter('remove')
    this.#host.machines.delete(id)
    this.#host.changed()
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

  async screen(id: string): Promise<Screen | undefined> {
    return this.#complete(id).isRunning ? this.#host.limits.screen : undefined
  }

  #complete(id: string): SimulatedMachine {
    const machine = this.#host.machines.get(id)
    if (machine === undefined) throw machineAbsent(id)
    if (!machine.isComplete) throw machineUnfinished(id)
    return machine
  }

  async #isTaken({ id, name }: MachineDefinition): Promise<boolean> {
    const machineOfName = await this.find(name)
    return machineOfName !== undefined && machineOfName.id !== id
  }
}

/** The same, of a host whose machines can run before their disks are complete. */
export class SimulatedInstantDriver extends SimulatedHostDriver implements InstantHost {
  readonly #host: SimulatedHypervisor

  constructor(host: SimulatedHypervisor) {
    super(host)
    this.#host = host
  }

  override async remove(id: string, options: { readonly disks: boolean }): Promise<void> {
    await super.remove(id, options)
    await rm(await this.originSocketPath(id), { force: true })
  }

  async originSocketPath(id: string): Promise<string> {
    return join(tmpdir(), `palisade-simulated-${id}`)
  }

  async startFrom(id: string, _origins: readonly OriginOfDisk[], signal?: AbortSignal): Promise<void> {
    await this.start(id, signal)
    const machine = this.#host.machines.get(id)
    if (machine !== undefined) machine.needsOrigins = true
    this.#host.changed()
  }

  async moveOver(
    id: string,
    signal: AbortSignal,
    onProgress: (disk: number, progress: CopyProgress) => void = () => {},
  ): Promise<void> {
    const machine = this.#host.machines.get(id)
    if (machine === undefined) throw machineAbsent(id)
    onProgress(0, { bytesDone: 1, bytesTotal: 2 })
    const aborted = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
    await Promise.race([this.#host.enter('move-over'), aborted])
    signal.throwIfAborted()
    if (!machine.isRunning) throw new Error('the machine has ended')
    machine.needsOrigins = false
    this.#host.changed()
  }

  async needsOrigins(id: string): Promise<boolean> {
    return this.#host.machines.get(id)?.needsOrigins === true
  }
}

function stateOf({ isComplete, isRunning }: SimulatedMachine): Machine['state'] {
  if (!isComplete) return 'unfinished'
  return isRunning ? 'running' : 'off'
}
