/**
 * QEMU through libvirt, on this machine, by libvirt's own client. A machine is a persistent domain with our id as its UUID,
 * and a folder for its serial line. The folder is made first and removed last, so that nothing is ever without a name:
 * a folder without a domain is an unfinished machine.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { checkDefinition, isMachineId } from '../check-definition.ts'
import { checkDisksUsable, removeDiskFiles } from '../disk-files.ts'
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
import { chooseAccelerator } from '../qemu/choose-accelerator.ts'
import { disksMaximum } from '../qemu/command-line.ts'
import { listMachineIds, MachineFolder } from '../qemu/machine-folder.ts'
import { definitionIn, domainXml, metadataUri } from './domain-xml.ts'
import { Virsh } from './virsh.ts'

/** How libvirt is reached, and where it is to have its files. */
export interface LibvirtHostOptions {
  /** `qemu:///system` unless given. */
  readonly uri?: string
  /** Where folders of machines are, which libvirt writes to; `/var/lib/libvirt/palisade` unless given. */
  readonly machinesPath?: string
  /** Offered as the place for disks; `/var/lib/libvirt/images` unless given. */
  readonly virtualDisksPath?: string
  /** `probe` tries KVM with a tiny machine before it relies on it; that is what happens unless given. */
  readonly type?: 'kvm' | 'qemu' | 'probe'
  /** `virsh` unless given. */
  readonly program?: string
}

/** The machines of one libvirt daemon on this computer. Nothing is asked before the first call. */
export class LibvirtHost implements HostDriver {
  readonly #virsh: Virsh
  readonly #root: string
  readonly #virtualDisksPath: string
  readonly #wantedType: 'kvm' | 'qemu' | 'probe'

  constructor(options: LibvirtHostOptions = {}) {
    this.#virsh = new Virsh(options.uri ?? 'qemu:///system', options.program ?? 'virsh')
    this.#root = resolve(options.machinesPath ?? '/var/lib/libvirt/palisade')
    this.#virtualDisksPath = resolve(options.virtualDisksPath ?? '/var/lib/libvirt/images')
    this.#wantedType = options.type ?? 'probe'
  }

  async unsupportedReasons(): Promise<readonly UnsupportedReason[]> {
    try {
      await this.#virsh.run(['version'])
      return []
    } catch (error) {
      if (!(error instanceof HostFailure)) throw error
      const code = error.problem.code === 'access-denied' ? 'access-denied' : 'host-unreachable'
      return [{ code, message: `${error.message}; is libvirtd running, and may this user speak to it?` }]
    }
  }

  async capabilities(): Promise<HostCapabilities> {
    // Commands in one parameter share a process and a connection, which take longer than all of them; the status is that of the last.
    const commands = 'version; nodeinfo; nodememstats; domcapabilities --virttype qemu --arch x86_64'
    const text = await this.#virsh.run([commands])
    const hasUefi = /<enum name='firmware'>(?:\s*<value>\w+<\/value>)*?\s*<value>efi</.test(text)
    const cores = numberAfter('CPU(s)', text)
    const kibibytes = ['free', 'buffers', 'cached'].map((name) => numberAfter(name, text))
    const memoryMaximum = Math.floor(kibibytes.reduce((sum, value) => sum + value, 0) / 1024)
    return {
      hypervisor: { name: 'QEMU through libvirt', version: versionIn(text) },
      firmware: hasUefi ? ['bios', 'uefi'] : ['bios'],
      diskFormats: ['vhd', 'vhdx', 'raw'],
      cores: { default: 1, minimum: 1, maximum: cores, increment: 1 },
      memoryMebibytes: {
        default: Math.min(2048, memoryMaximum),
        minimum: 32,
        maximum: memoryMaximum,
        increment: 1,
      },
      disksMaximum,
      canRecordSerial: true,
    }
  }

  async settings(): Promise<HostSettings> {
    return { virtualDisksPath: this.#virtualDisksPath, machinesPath: this.#root }
  }

  /** The active networks; one that is not active can take no machine. */
  async virtualSwitches(): Promise<readonly VirtualSwitch[]> {
    const ids = await this.#virsh.lines('net-list', '--uuid')
    return await Promise.all(ids.map(async (id) => ({ id, name: await this.#virsh.run(['net-name', id]) })))
  }

  async checkDisks(disks: readonly MachineDisk[]): Promise<void> {
    await checkDisksUsable(disks)
  }

  async define(definition: MachineDefinition, signal?: AbortSignal): Promise<void> {
    const switches = await this.virtualSwitches()
    checkDefinition(definition, { capabilities: await this.capabilities(), switches })
    checkName(definition.name)
    await checkDisksUsable(definition.disks)
    const existing = await this.#find(definition.id)
    if (existing !== undefined) {
      if (isSameDefinition(existing, definition)) return
      throw machineDiffers(definition.id)
    }
    if ((await this.find(definition.name)) !== undefined) throw nameTaken(definition.name)
    signal?.throwIfAborted()
    const folder = this.#folder(definition.id)
    // libvirt's own user has to get to the log in it.
    await mkdir(folder.path, { recursive: true, mode: 0o755 })
    const network = switches.find(({ id }) => id === definition.switchId)?.name
    const parts = { type: await this.#type(), network, serialPath: join(folder.path, 'serial.log') }
    // Not by standard input: Node's is a socket, which virsh cannot open as /dev/stdin.
    const file = join(folder.path, 'domain.xml')
    await writeFile(file, domainXml(definition, parts))
    await this.#virsh.run(['define', file, '--validate'], signal)
  }

  async start(id: string, signal?: AbortSignal): Promise<void> {
    const { disks } = await this.#definition(id)
    if ((await this.#domainState(id)) !== 'off') return
    await checkDisksUsable(disks)
    await this.#virsh.run(['start', id], signal)
  }

  async stop(id: string, graceMs: number, signal?: AbortSignal): Promise<StopOutcome> {
    await this.#definition(id)
    if ((await this.#domainState(id)) === 'off') return 'was-off'
    if (graceMs > 0) {
      await this.#virsh.run(['shutdown', id, '--mode', 'acpi'], signal)
      if (await this.#ends(id, graceMs, signal)) return 'graceful'
    }
    await this.#destroy(id)
    return 'hard'
  }

  async state(id: string): Promise<MachineState> {
    if (!isMachineId(id)) return 'absent'
    if ((await this.#find(id)) === undefined)
      return (await this.#folder(id).exists()) ? 'unfinished' : 'absent'
    return await this.#domainState(id)
  }

  async remove(id: string, { disks }: { readonly disks: boolean }): Promise<void> {
    if (!isMachineId(id)) return
    const definition = await this.#find(id)
    if (definition !== undefined) {
      if ((await this.#domainState(id)) !== 'off') await this.#destroy(id)
      if (disks) await removeDiskFiles(definition.disks)
      await this.#virsh.run(['undefine', id, '--nvram'])
    }
    await rm(this.#folder(id).path, { recursive: true, force: true })
  }

  async find(name: string): Promise<NamedMachine | undefined> {
    const names = await this.#virsh.lines('list', '--all', '--name')
    if (!names.includes(name)) return undefined
    const ours = (await this.list()).find((machine) => machine.name === name)
    return ours === undefined ? { name } : { name, id: ours.id }
  }

  async list(): Promise<readonly Machine[]> {
    const machines: Machine[] = []
    const domains = await this.#virsh.lines('list', '--all', '--uuid')
    for (const id of new Set([...domains, ...(await listMachineIds(this.#root))])) {
      const definition = domains.includes(id) ? await this.#find(id) : undefined
      if (definition !== undefined) {
        machines.push({ id, name: definition.name, state: await this.#domainState(id) })
      } else if (await this.#folder(id).exists()) machines.push({ id, name: '', state: 'unfinished' })
    }
    return machines
  }

  async serialOutput(id: string): Promise<Buffer> {
    await this.#definition(id)
    return await this.#folder(id).serialOutput()
  }

  #folder(id: string): MachineFolder {
    return new MachineFolder(this.#root, id)
  }

  async #definition(id: string): Promise<MachineDefinition> {
    if (!isMachineId(id)) throw machineAbsent(id)
    const definition = await this.#find(id)
    if (definition !== undefined) return definition
    throw (await this.#folder(id).exists()) ? machineUnfinished(id) : machineAbsent(id)
  }

  /** The definition that a domain of ours carries. */
  async #find(id: string): Promise<MachineDefinition | undefined> {
    try {
      return definitionIn(await this.#virsh.run(['metadata', id, metadataUri]))
    } catch (error) {
      if (error instanceof HostFailure && error.problem.code === 'machine-absent') return undefined
      if (
        error instanceof HostFailure &&
        /metadata (element )?(is )?not (value|present)/i.test(error.message)
      ) {
        return undefined
      }
      throw error
    }
  }

  async #domainState(id: string): Promise<Machine['state']> {
    const state = await this.#virsh.run(['domstate', id])
    if (state === 'shut off') return 'off'
    return state === 'paused' || state === 'pmsuspended' || state === 'crashed' ? 'paused' : 'running'
  }

  async #ends(id: string, withinMs: number, signal: AbortSignal | undefined): Promise<boolean> {
    const deadline = Date.now() + withinMs
    while ((await this.#domainState(id)) !== 'off') {
      if (Date.now() >= deadline) return false
      signal?.throwIfAborted()
      await delay(200)
    }
    return true
  }

  /** Cuts the power; a machine that ended in this moment is fine. */
  async #destroy(id: string): Promise<void> {
    await this.#virsh.run(['destroy', id]).catch(async (error: unknown) => {
      if ((await this.#domainState(id)) !== 'off') throw error
    })
  }

  async #type(): Promise<'kvm' | 'qemu'> {
    if (this.#wantedType !== 'probe') return this.#wantedType
    return (await chooseAccelerator('qemu-system-x86_64')) === 'kvm' ? 'kvm' : 'qemu'
  }
}

/** libvirt makes files of this name. */
function checkName(name: string): void {
  if (!name.includes('/')) return
  const expected = 'a name without a slash'
  throw new HostFailure({ code: 'definition-invalid', field: 'name', expected }, `name must be ${expected}`)
}

/** The hypervisor's version in what `virsh version` prints. */
function versionIn(text: string): string {
  return /Running hypervisor: \S+ (\S+)/.exec(text)?.[1] ?? 'unknown'
}

/** The number in a line such as `CPU(s):  2` or `free  :  123 KiB`. */
function numberAfter(name: string, text: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(name)) ?? ''
  const value = Number.parseInt(line.slice(name.length).replace(/^[\s:]+/, ''), 10)
  if (Number.isNaN(value)) throw new HostFailure({ code: 'host-error' }, `libvirt does not say "${name}"`)
  return value
}
