import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { makeFolder } from '@palisade/start-up'
import { isRecord } from '../../json.ts'
import { checkDefinition, isMachineId } from '../check-definition.ts'
import { checkDisksUsable, removeDiskFiles } from '../disk-files.ts'
import { HostFailure, machineAbsent, machineDiffers, machineUnfinished, nameTaken } from '../failure.ts'
import type {
  Allocation,
  HostCapabilities,
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
import { type Accelerator, disksMaximum, type NetworkCard } from './command-line.ts'
import { type FirmwareFiles, findFirmwareFiles } from './firmware-files.ts'
import { listMachineIds, MachineFolder } from './machine-folder.ts'
import { cardIn, openParts } from './machine-parts.ts'
import { type MachineUser, userOfMachine } from './machine-user.ts'
import { moveDiskOver } from './move-over.ts'
import { PassedFiles } from './passed-files.ts'
import { endsWithin, findQemuOf, isQemuOf, killQemuOf } from './processes.ts'
import { memoryRangeMebibytes, QemuProgram } from './qemu-program.ts'
import type { QemuSwitch } from './qemu-switch.ts'
import { qmp } from './qmp.ts'
import { readScreen } from './screen.ts'
import { unsupportedReasons } from './unsupported-reasons.ts'

/**
 * QEMU without anything in between: one process and one folder per machine, controlled through QEMU's own protocol. It works
 * wherever QEMU is installed, without root, and machines go on when the agent ends.
 */

/** How long QEMU may take to close its disks after it was told to end. */
const quitTimeoutMs = 10_000

/** Where machines are kept and what they run with. */
export interface QemuHostOptions {
  /** Where the folders of machines are; made when the first one is defined. */
  readonly machinesPath: string
  /** Offered as the place for disks; `disks` beside the machines unless given. */
  readonly virtualDisksPath?: string
  /** None unless given. */
  readonly switches?: readonly QemuSwitch[]
  /** `probe` tries KVM with a tiny machine before it relies on it; that is what happens unless given. */
  readonly accelerator?: Accelerator | 'probe'
  /** The UEFI that the distribution brings unless given. */
  readonly firmware?: FirmwareFiles
  /** `qemu-system-x86_64` unless given. */
  readonly program?: string
  /** Whom machines run as where this process is root; each has a user of its own unless given. */
  readonly machineUser?: MachineUser
}

/** The machines in one folder of this computer. Every call looks at folder and processes anew, so nothing is lost with the agent. */
export class QemuHost implements InstantHost {
  readonly #root: string
  readonly #virtualDisksPath: string
  readonly #switches: readonly QemuSwitch[]
  readonly #program: QemuProgram
  readonly #firmware: FirmwareFiles | undefined
  readonly #machineUser: MachineUser | undefined

  constructor(options: QemuHostOptions) {
    this.#root = resolve(options.machinesPath)
    this.#virtualDisksPath = resolve(options.virtualDisksPath ?? join(this.#root, 'disks'))
    this.#switches = options.switches ?? []
    this.#program = new QemuProgram(options.program ?? 'qemu-system-x86_64', options.accelerator ?? 'probe')
    this.#firmware = options.firmware ?? findFirmwareFiles()
    this.#machineUser = options.machineUser
  }

  unsupportedReasons(): Promise<readonly UnsupportedReason[]> {
    return unsupportedReasons(this.#root, this.#program)
  }

  async capabilities(): Promise<HostCapabilities> {
    const memory = memoryRangeMebibytes()
    return {
      hypervisor: { name: 'QEMU', version: await this.#program.version() },
      firmware: this.#firmware === undefined ? ['bios'] : ['bios', 'uefi'],
      diskFormats: ['vhd', 'vhdx', 'raw'],
      cores: allocation(1, 1, availableParallelism()),
      memoryMebibytes: allocation(2048, memory.minimum, memory.maximum),
      disksMaximum,
      canRecordSerial: true,
    }
  }

  async settings(): Promise<HostSettings> {
    return { virtualDisksPath: this.#virtualDisksPath, machinesPath: this.#root }
  }

  async virtualSwitches(): Promise<readonly VirtualSwitch[]> {
    return this.#switches.map(({ id, name }) => ({ id, name }))
  }

  async checkDisks(disks: readonly MachineDisk[]): Promise<void> {
    await checkDisksUsable(disks)
  }

  async define(definition: MachineDefinition, signal?: AbortSignal): Promise<void> {
    const capabilities = await this.capabilities()
    checkDefinition(definition, { capabilities, switches: this.#switches })
    await checkDisksUsable(definition.disks)
    const folder = this.#folder(definition.id)
    const existing = await folder.definition()
    if (existing !== undefined) {
      if (isSameDefinition(existing, definition)) return
      throw machineDiffers(definition.id)
    }
    const machineOfName = await this.find(definition.name)
    if (machineOfName !== undefined) throw nameTaken(definition.name)
    signal?.throwIfAborted()
    makeFolder(this.#root, '--host')
    await folder.create(definition, definition.firmware === 'uefi' ? this.#firmware?.variables : undefined)
  }

  async start(id: string, signal?: AbortSignal): Promise<void> {
    const folder = this.#folder(id)
    if ((await this.#process(folder)) === undefined && (await folder.overlays()).length > 0) {
      throw new HostFailure(
        { code: 'machine-unfinished', id },
        `the machine ${id} was started before its disks were complete, and ended before they were`,
      )
    }
    await this.#start(folder, [], signal)
  }

  async originSocketPath(id: string): Promise<string> {
    return this.#folder(id).originSocketPath
  }

  /** What the machine writes goes into overlays in its folder. */
  async startFrom(id: string, origins: readonly OriginOfDisk[], signal?: AbortSignal): Promise<void> {
    const folder = this.#folder(id)
    for (const [index, { sizeBytes }] of origins.entries()) await folder.makeOverlay(index, sizeBytes)
    await this.#start(folder, origins, signal)
  }

  async moveOver(
    id: string,
    signal: AbortSignal,
    onProgress: (disk: number, progress: CopyProgress) => void = () => {},
  ): Promise<void> {
    const folder = this.#folder(id)
    for (const index of await folder.overlays()) {
      const tell = (progress: CopyProgress) => onProgress(index, progress)
      await moveDiskOver(folder, index, tell, signal)
      await folder.removeOverlay(index)
    }
  }

  async needsOrigins(id: string): Promise<boolean> {
    return (await this.#folder(id).overlays()).length > 0
  }

  async #start(
    folder: MachineFolder,
    origins: readonly OriginOfDisk[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { id } = folder
    const definition = await this.#definition(folder)
    if ((await this.#process(folder)) !== undefined) return
    await checkDisksUsable(definition.disks)
    const network = this.#switches.find((candidate) => candidate.id === definition.switchId)?.network
    if (definition.switchId !== undefined && network === undefined) throw switchAbsent(definition.switchId)
    const user = userOfMachine(id, this.#machineUser)
    const accelerator = await this.#program.accelerator(user)
    await killQemuOf(id)
    await folder.prepareRun(user)
    const files = new PassedFiles()
    try {
      const parts = { accelerator, firmware: this.#firmware, socketName: folder.socketName }
      const opened = await openParts(definition, folder, origins, files, user)
      const card = network === undefined ? undefined : await cardIn(network, files)
      const how = {
        place: folder,
        directory: folder.path,
        user,
        descriptors: files.descriptors,
        parameters: files.parameters,
        isConfined: await this.#confines(card),
      }
      const onStarted = (pid: number) => folder.notePid(pid)
      await this.#program.start(definition, { ...parts, ...opened, network: card }, how, onStarted, signal)
    } finally {
      await files.close()
    }
  }

  /**
   * Whether a machine runs in QEMU's sandbox: always, but for those that a helper with rights of root plugs into a bridge, which this
   * process, without these rights, cannot do.
   */
  async #confines(card: NetworkCard | undefined): Promise<boolean> {
    if (card?.kind === 'bridge') return false
    if (await this.#program.canBeConfined()) return true
    throw new HostFailure({ code: 'host-error' }, 'this QEMU was built without seccomp; install another')
  }

  async stop(id: string, graceMs: number, signal?: AbortSignal): Promise<StopOutcome> {
    const folder = this.#folder(id)
    await this.#definition(folder)
    const pid = await this.#process(folder)
    if (pid === undefined) return 'was-off'
    if (graceMs > 0) {
      await tell(folder, 'system_powerdown')
      if (await endsWithin(graceMs, pid, id, signal)) return 'graceful'
    }
    // `quit` lets QEMU close its disks; a QEMU that does not answer any more is killed.
    await tell(folder, 'quit')
    if (!(await endsWithin(quitTimeoutMs, pid, id, signal))) await killQemuOf(id)
    return 'hard'
  }

  async state(id: string): Promise<MachineState> {
    if (!isMachineId(id)) return 'absent'
    const folder = this.#folder(id)
    if ((await folder.definition()) === undefined) return (await folder.exists()) ? 'unfinished' : 'absent'
    if ((await this.#process(folder)) === undefined) return 'off'
    const status = await qmp(folder, { execute: 'query-status' }).catch(() => undefined)
    return isRecord(status) && status.running === false ? 'paused' : 'running'
  }

  async remove(id: string, { disks }: { readonly disks: boolean }): Promise<void> {
    if (!isMachineId(id)) return
    const folder = this.#folder(id)
    await killQemuOf(id)
    const definition = await folder.definition()
    if (disks && definition !== undefined) await removeDiskFiles(definition.disks)
    await folder.remove()
    // A QEMU whose driver was killed while it started it may have come up since; without its folder none comes after this.
    await killQemuOf(id)
  }

  async find(name: string): Promise<NamedMachine | undefined> {
    const machines = await this.list()
    const machineOfName = machines.find((machine) => machine.name === name)
    return machineOfName === undefined ? undefined : { name, id: machineOfName.id }
  }

  async list(): Promise<readonly Machine[]> {
    const machines: Machine[] = []
    for (const id of await listMachineIds(this.#root)) {
      const state = await this.state(id)
      // It was removed while the others were looked at.
      if (state === 'absent') continue
      machines.push({ id, name: (await this.#folder(id).definition())?.name ?? '', state })
    }
    return machines
  }

  async serialOutput(id: string): Promise<Buffer> {
    const folder = this.#folder(id)
    await this.#definition(folder)
    return await folder.serialOutput()
  }

  async screen(id: string): Promise<Screen | undefined> {
    const folder = this.#folder(id)
    await this.#definition(folder)
    if ((await this.#process(folder)) === undefined) return undefined
    // A machine may end, and a display change its mode, between being asked and answering.
    return await readScreen(folder).catch(() => undefined)
  }

  #folder(id: string): MachineFolder {
    if (!isMachineId(id)) throw machineAbsent(id)
    return new MachineFolder(this.#root, id)
  }

  async #definition(folder: MachineFolder): Promise<MachineDefinition> {
    const definition = await folder.definition()
    if (definition !== undefined) return definition
    throw (await folder.exists()) ? machineUnfinished(folder.id) : machineAbsent(folder.id)
  }

  /** The QEMU of the machine, when there is one. */
  async #process(folder: MachineFolder): Promise<number | undefined> {
    const pid = await folder.pid()
    if (pid !== undefined && (await isQemuOf(pid, folder.id))) return pid
    return (await findQemuOf(folder.id))[0]
  }
}

function allocation(ideal: number, minimum: number, maximum: number): Allocation {
  return { default: Math.max(minimum, Math.min(ideal, maximum)), minimum, maximum, increment: 1 }
}

/** A QEMU that ends in this moment, or hangs, does not hear it; what comes next is decided by whether it runs. */
async function tell(folder: MachineFolder, execute: string): Promise<void> {
  await qmp(folder, { execute }).catch(() => undefined)
}

function switchAbsent(switchId: string): HostFailure {
  const message = `this host has no virtual switch with the id ${switchId} any more`
  return new HostFailure({ code: 'switch-absent', switchId }, message)
}
