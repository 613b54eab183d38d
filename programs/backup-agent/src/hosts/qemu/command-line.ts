/**
 * A machine as parameters for QEMU. The hardware is what operating systems of the last twenty years bring drivers for, since
 * nobody installed others before the disaster:
 *
 *     BIOS   i440FX (`pc`), IDE, as Hyper-V's generation 1; SeaBIOS
 *     UEFI   Q35, AHCI; OVMF with a variable store of its own
 *     both   Intel PRO/1000 network card, standard VGA, one serial line, power button (ACPI)
 *
 * Paths go in as JSON, or are relative to the machine's folder, so that no path needs QEMU's escapes. What QEMU may do of itself is in
 * `-sandbox`: no other programs, no other user, no system calls that it has no use for.
 */
import { macOf } from '../mac-address.ts'
import type { Firmware, MachineDefinition, MachineDisk } from '../machine.ts'
import type { FirmwareFiles } from './firmware-files.ts'
import type { QemuNetwork } from './qemu-switch.ts'

/** What a network card is plugged into: its switch, or a device of the kernel that is in a bridge already, open as a descriptor of QEMU's. */
export type NetworkCard = QemuNetwork | { readonly kind: 'tap'; readonly descriptor: number }

/** `kvm` is fast and works where the kernel and the processor let it; `tcg` computes every instruction and works everywhere. */
export type Accelerator = 'kvm' | 'tcg'

/** What a start of QEMU needs beside the definition of the machine. */
export interface QemuParts {
  readonly accelerator: Accelerator
  /** Needed for a machine with UEFI. */
  readonly firmware: FirmwareFiles | undefined
  /** The network of its switch; undefined for a machine without a network card. */
  readonly network: NetworkCard | undefined
  /** What QEMU calls the disks, where not by their paths. */
  readonly diskNames?: readonly string[]
  /** The variable store of a machine with UEFI. */
  readonly variables?: string
  /** The file that the serial line is recorded in, of a machine that has it recorded. */
  readonly serialRecord?: string
  /** Where QEMU is to listen; relative to the machine's folder. */
  readonly socketName: string
  /** Where disks are read from whose files are not complete, by the numbers of the disks. */
  readonly origins?: ReadonlyMap<number, DiskOrigin>
}

/** A disk that somebody lets us read over a local socket (NBD), and the file that takes what the machine writes. */
export interface DiskOrigin {
  readonly socketPath: string
  readonly exportName: string
  /** A qcow2 of the disk's size. */
  readonly overlay: string
}

/** A server that is started again in this time is waited for; reads stand still meanwhile. */
const originPatienceSeconds = 120

/** The port that disk number `index` is plugged into, counted from 0: `ide-hd` speaks to IDE and to AHCI. */
const portOf = {
  bios: (index: number) => ({ bus: `ide.${Math.floor(index / 2)}`, unit: index % 2 }),
  uefi: (index: number) => ({ bus: `ide.${index}`, unit: 0 }),
} as const

/** How many disks the ports above have room for. */
export const disksMaximum = { bios: 4, uefi: 6 } as const

/** QEMU's names for the formats. */
const drivers = { vhd: 'vpc', vhdx: 'vhdx', raw: 'raw' } as const

/**
 * What QEMU gives up before it looks at anything of a machine. It cannot go into the background by itself then.
 * (QEMU's documentation, "-sandbox")
 */
export const sandboxParameters = [
  '-sandbox',
  'on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny',
] as const

/** All parameters but the sandbox; QEMU is started in the machine's folder. */
export function qemuParameters(definition: MachineDefinition, parts: QemuParts): string[] {
  const { id, cores, memoryMebibytes, disks } = definition
  return [
    ...['-name', `palisade-${id}`, '-uuid', id, '-nodefaults', '-no-user-config'],
    ...boardParameters(definition, parts),
    ...['-accel', parts.accelerator, '-cpu', parts.accelerator === 'kvm' ? 'host' : 'max'],
    ...['-smp', `cpus=${cores},sockets=1,cores=${cores},threads=1`, '-m', `size=${memoryMebibytes}M`],
    ...['-display', 'none', '-vga', 'std'],
    ...disks.flatMap(({ path, format }, index) => {
      const disk = { path: parts.diskNames?.[index] ?? path, format }
      return [
        ...(parts.origins?.has(index) === true
          ? originParameters(index, disk, parts.origins.get(index))
          : blockParameters(diskNode(disk, nodeOf(index)))),
        ...deviceParameters(index, definition.firmware),
      ]
    }),
    ...(parts.network === undefined ? ['-nic', 'none'] : networkParameters(id, parts.network)),
    ...['-chardev', parts.serialRecord ? `file,id=serial,path=${parts.serialRecord}` : 'null,id=serial'],
    ...['-serial', 'chardev:serial'],
    ...['-qmp', `unix:${parts.socketName},server=on,wait=off`],
  ]
}

function boardParameters(
  { firmware }: MachineDefinition,
  { firmware: files, variables }: QemuParts,
): string[] {
  if (firmware === 'bios') return ['-machine', 'pc']
  if (files === undefined || variables === undefined) throw new Error('a machine with UEFI needs its files')
  return [
    ...blockParameters({ 'node-name': 'code', driver: 'raw', 'read-only': true, file: fileOf(files.code) }),
    ...blockParameters({ 'node-name': 'variables', driver: 'raw', file: fileOf(variables) }),
    ...['-machine', 'q35,pflash0=code,pflash1=variables'],
  ]
}

/** One disk at the port that its number says; the machine tries to start from disks in the order of their numbers. */
export function diskParameters(disk: MachineDisk, index: number, firmware: Firmware): string[] {
  return [...blockParameters(diskNode(disk, nodeOf(index))), ...deviceParameters(index, firmware)]
}

/** What QEMU calls the disk that a machine has at a port. */
export function nodeOf(index: number): string {
  return `disk${index}`
}

/** What QEMU calls the file of a disk that the machine does not use yet. */
export function ownNodeOf(index: number): string {
  return `own${index}`
}

/** A disk file as a node of QEMU's. */
function diskNode({ path, format }: MachineDisk, name: string): Readonly<Record<string, unknown>> {
  return { 'node-name': name, driver: drivers[format], file: fileOf(path) }
}

function deviceParameters(index: number, firmware: Firmware): string[] {
  const port = portOf[firmware](index)
  const device = { driver: 'ide-hd', drive: nodeOf(index), id: `port${index}`, bootindex: index, ...port }
  return ['-device', JSON.stringify(device)]
}

/** The machine reads from the origin what it has not written; it knows nothing of either. Its own file waits to be written. */
function originParameters(index: number, disk: MachineDisk, origin: DiskOrigin | undefined): string[] {
  if (origin === undefined) return []
  const { socketPath, exportName, overlay } = origin
  const backing = {
    driver: 'nbd',
    'read-only': true,
    export: exportName,
    'reconnect-delay': originPatienceSeconds,
    server: { type: 'unix', path: socketPath },
  }
  return [
    ...blockParameters({ 'node-name': nodeOf(index), driver: 'qcow2', file: fileOf(overlay), backing }),
    ...blockParameters(diskNode(disk, ownNodeOf(index))),
  ]
}

function networkParameters(id: string, network: NetworkCard): string[] {
  const backend =
    network.kind === 'multicast'
      ? { type: 'socket', id: 'switch', mcast: `${network.group}:${network.port}`, localaddr: '127.0.0.1' }
      : network.kind === 'tap'
        ? { type: 'tap', id: 'switch', fd: String(network.descriptor) }
        : { type: 'bridge', id: 'switch', br: network.bridge }
  const card = { driver: 'e1000', netdev: 'switch', mac: macOf(id) }
  return ['-netdev', JSON.stringify(backend), '-device', JSON.stringify(card)]
}

function blockParameters(node: Readonly<Record<string, unknown>>): string[] {
  return ['-blockdev', JSON.stringify(node)]
}

function fileOf(filename: string): Readonly<Record<string, string>> {
  return { driver: 'file', filename }
}
