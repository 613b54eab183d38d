/**
 * Hyper-V by PowerShell's Hyper-V module. This driver was never run against Windows: it passes the suite of all drivers with
 * a simulated shell, which shows that requests and replies fit together and not that the script does what it says.
 *
 * Every command is a new PowerShell, which takes a second or two.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { isRecord } from '../../json.ts'
import { checkDefinition, isMachineId } from '../check-definition.ts'
import { HostFailure, machineAbsent, machineDiffers, machineUnfinished, nameTaken } from '../failure.ts'
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
  type MachineDisk,
  type MachineState,
  type NamedMachine,
} from '../machine.ts'
import { converse, type HyperVCommand, type RemoteHost } from './converse.ts'
import { powerShell, type Shell } from './shell.ts'

/** Generation 1 starts from IDE alone, which has four ports; generation 2 has a SCSI controller with 64. */
const disksMaximum = { bios: 4, uefi: 64 } as const
const pollMs = 2_000

/** A machine as the host describes it. */
interface Described {
  readonly name: string
  readonly notes: string
  readonly state: string
}

/** One of ours; without a definition it is unfinished. */
interface OwnMachine {
  readonly id: string
  readonly described: Described
  readonly definition: MachineDefinition | undefined
}

/** The Hyper-V of this machine, or of another one by a CIM session. Nothing is asked before the first call. */
export class HyperVHost implements HostDriver {
  readonly #shell: Shell
  readonly #remote: Partial<RemoteHost>

  /** @param remote left out for the machine that the agent runs on */
  constructor(options: { readonly shell?: Shell; readonly remote?: RemoteHost } = {}) {
    this.#shell = options.shell ?? powerShell
    this.#remote = options.remote ?? {}
  }

  async unsupportedReasons(): Promise<readonly UnsupportedReason[]> {
    try {
      await this.#ask('describe-host')
      return []
    } catch (error) {
      if (!(error instanceof HostFailure)) throw error
      const code = error.problem.code === 'access-denied' ? 'access-denied' : 'host-unreachable'
      return [{ code, message: error.message }]
    }
  }

  async capabilities(): Promise<HostCapabilities> {
    const host = await this.#ask('describe-host')
    const { version, supportsGenerations, processors, freeMebibytes } = isRecord(host) ? host : {}
    const memoryMaximum = Math.floor(Number(freeMebibytes) / 2) * 2
    return {
      hypervisor: { name: 'Hyper-V', version: String(version) },
      firmware: supportsGenerations === true ? ['bios', 'uefi'] : ['bios'],
      // The module exists from 2012 on, and so does VHDX; 2008 R2 is not reached by this driver at all.
      diskFormats: ['vhd', 'vhdx'],
      cores: { default: 1, minimum: 1, maximum: Number(processors), increment: 1 },
      // Hyper-V takes even numbers of mebibytes only.
      memoryMebibytes: {
        default: Math.min(1024, memoryMaximum),
        minimum: 32,
        maximum: memoryMaximum,
        increment: 2,
      },
      disksMaximum,
      canRecordSerial: false,
    }
  }

  async settings(): Promise<HostSettings> {
    const host = await this.#ask('describe-host')
    const { virtualDisksPath, machinesPath } = isRecord(host) ? host : {}
    return { virtualDisksPath: String(virtualDisksPath), machinesPath: String(machinesPath) }
  }

  async virtualSwitches(): Promise<readonly VirtualSwitch[]> {
    return records(await this.#ask('list-switches')).map(({ id, name }) => ({
      id: String(id),
      name: String(name),
    }))
  }

  async checkDisks(disks: readonly MachineDisk[]): Promise<void> {
    const missing = await this.#ask('missing-disks', { disks: disks.map(({ path }) => path) })
    const [path] = Array.isArray(missing) ? missing : [missing]
    if (typeof path !== 'string') return
    throw new HostFailure({ code: 'disk-unusable', path }, `the host cannot use ${path} as a disk`)
  }

  async define(definition: MachineDefinition, signal?: AbortSignal): Promise<void> {
    const [capabilities, switches] = [await this.capabilities(), await this.virtualSwitches()]
    checkDefinition(definition, { capabilities, switches })
    await this.checkDisks(definition.disks)
    const existing = await this.#find(definition.id)
    if (existing?.definition !== undefined) {
      if (isSameDefinition(existing.definition, definition)) return
      throw machineDiffers(definition.id)
    }
    if ((await this.find(definition.name)) !== undefined) throw nameTaken(definition.name)
    const { id, name, cores, memoryMebibytes, switchId } = definition
    const generation = definition.firmware === 'uefi' ? 2 : 1
    const disks = definition.disks.map(({ path }, index) => ({ path, ...placeOf(generation, index) }))
    const text = Buffer.from(JSON.stringify(definition)).toString('base64')
    const parameters = { id, name, generation, cores, memoryMebibytes, disks, switchId, definition: text }
    await this.#ask('define', parameters, signal)
  }

  async start(id: string, signal?: AbortSignal): Promise<void> {
    const definition = await this.#definition(id)
    if ((await this.state(id)) === 'running') return
    await this.checkDisks(definition.disks)
    await this.#ask('start', { id }, signal)
  }

  async stop(id: string, graceMs: number, signal?: AbortSignal): Promise<StopOutcome> {
    await this.#definition(id)
    if ((await this.state(id)) === 'off') return 'was-off'
    if (graceMs > 0 && (await this.#shutsDown(id, graceMs, signal))) return 'graceful'
    await this.#ask('turn-off', { id }, signal)
    return 'hard'
  }

  async state(id: string): Promise<MachineState> {
    const ours = isMachineId(id) ? await this.#find(id) : undefined
    return ours === undefined ? 'absent' : stateOf(ours)
  }

  async remove(id: string, { disks }: { readonly disks: boolean }): Promise<void> {
    const ours = isMachineId(id) ? await this.#find(id) : undefined
    if (ours === undefined) return
    const paths = disks ? (ours.definition?.disks ?? []).map(({ path }) => path) : []
    await this.#ask('remove', { id, disks: paths })
  }

  async find(name: string): Promise<NamedMachine | undefined> {
    const described = (await this.#describe()).find((machine) => sameName(machine.name, name))
    if (described === undefined) return undefined
    const ours = oursAmong([described])[0]
    return ours === undefined ? { name: described.name } : { name: described.name, id: ours.id }
  }

  async list(): Promise<readonly Machine[]> {
    return oursAmong(await this.#describe()).map((ours) => ({
      id: ours.id,
      name: ours.definition?.name ?? '',
      state: stateOf(ours),
    }))
  }

  /** Hyper-V gives a serial line out as a named pipe only, which nobody reads while the agent is not there. */
  async serialOutput(id: string): Promise<Buffer> {
    await this.#definition(id)
    return Buffer.alloc(0)
  }

  async #ask(
    command: HyperVCommand,
    parameters: Readonly<Record<string, unknown>> = {},
    signal?: AbortSignal,
  ): Promise<unknown> {
    signal?.throwIfAborted()
    return await converse(this.#shell, { ...this.#remote, command, parameters }, signal)
  }

  async #describe(): Promise<readonly Described[]> {
    return records(await this.#ask('list-machines')).map(({ name, notes, state }) => ({
      name: String(name),
      notes: String(notes),
      state: String(state),
    }))
  }

  async #find(id: string): Promise<OwnMachine | undefined> {
    return oursAmong(await this.#describe()).find((ours) => ours.id === id)
  }

  async #definition(id: string): Promise<MachineDefinition> {
    const ours = isMachineId(id) ? await this.#find(id) : undefined
    if (ours === undefined) throw machineAbsent(id)
    if (ours.definition === undefined) throw machineUnfinished(id)
    return ours.definition
  }

  /** `Stop-VM` asks the guest through its integration services, waits, and fails when there are none. */
  async #shutsDown(id: string, withinMs: number, signal: AbortSignal | undefined): Promise<boolean> {
    const deadline = Date.now() + withinMs
    try {
      await this.#ask('shut-down', { id }, signal)
    } catch (error) {
      if (!(error instanceof HostFailure)) throw error
      return (await this.state(id)) === 'off'
    }
    while ((await this.state(id)) !== 'off') {
      if (Date.now() >= deadline) return false
      signal?.throwIfAborted()
      await delay(Math.min(pollMs, withinMs))
    }
    return true
  }
}

function placeOf(generation: 1 | 2, index: number) {
  return generation === 1
    ? { controller: 'IDE', number: Math.floor(index / 2), location: index % 2 }
    : { controller: 'SCSI', number: 0, location: index }
}

function oursAmong(machines: readonly Described[]): OwnMachine[] {
  const own: OwnMachine[] = []
  for (const described of machines) {
    const complete = /^palisade:1:([0-9a-f-]{36}):([A-Za-z0-9+/=]+)$/.exec(described.notes.trim())
    const id = complete?.[1] ?? unfinishedId(described)
    if (id === undefined || !isMachineId(id)) continue
    const definition = complete?.[2] === undefined ? undefined : definitionIn(complete[2])
    own.push({ id, described, definition })
  }
  return own
}

/** Notes that somebody changed by hand make a machine unfinished, not the whole list unreadable. */
function definitionIn(text: string): MachineDefinition | undefined {
  try {
    return JSON.parse(Buffer.from(text, 'base64').toString('utf8')) as MachineDefinition
  } catch {
    return undefined
  }
}

function unfinishedId({ name, notes }: Described): string | undefined {
  return /^palisade:0:(.{36})$/.exec(notes.trim())?.[1] ?? /^palisade-(.{36})$/.exec(name)?.[1]
}

/** Off, and Saved, whose memory is in a file: both can be started. Others such as Starting and Stopping have a process. */
function stateOf({ definition, described }: OwnMachine): Machine['state'] {
  if (definition === undefined) return 'unfinished'
  if (described.state === 'Off' || described.state === 'Saved') return 'off'
  return described.state.startsWith('Paused') ? 'paused' : 'running'
}

function sameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** PowerShell writes a list of one as that one, now and then. */
function records(value: unknown): Record<string, unknown>[] {
  return (Array.isArray(value) ? value : [value]).filter(isRecord)
}
