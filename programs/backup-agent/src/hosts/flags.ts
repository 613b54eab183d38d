import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import type { HostDriver } from './host-driver.ts'
import { Hosts, type NamedHost } from './hosts.ts'
import { HyperVHost } from './hyper-v/hyper-v-host.ts'
import { LibvirtHost } from './libvirt/libvirt-host.ts'
import { namedUser } from './qemu/machine-user.ts'
import { QemuHost, type QemuHostOptions } from './qemu/qemu-host.ts'
import type { QemuNetwork, QemuSwitch } from './qemu/qemu-switch.ts'
import { SimulatedHostInFolder } from './simulated/simulated-host-in-folder.ts'

/** What of the agent's command line is about hypervisors, for `parseArgs`. */
export const hostFlags = {
  host: { type: 'string', multiple: true },
  switch: { type: 'string', multiple: true },
  'machine-user': { type: 'string' },
} as const

/** The same for people. */
export const hostUsage = `  --host [NAME=]HOST a hypervisor that machines can be restored to: qemu:DIR (machines in that folder),
                     libvirt:URI (qemu:///system unless given), hyper-v; may be repeated, and the first one is
                     that of this machine. On Windows hyper-v needs not be given
  --switch NETWORK   a virtual switch for machines of qemu: bridge:NAME, or multicast:GROUP:PORT for a network
                     among machines of this computer alone; may be repeated
  --machine-user USER  whom machines of qemu run as, a name or a number, when the agent is root; each has a user of its own
                     unless given
`

interface HostValues {
  readonly host?: readonly string[]
  readonly switch?: readonly string[]
  readonly 'machine-user'?: string
}

/** The hypervisors that a command line names. Throws with one sentence for a person. */
export function hostsOf({ host = [], switch: networks = [], 'machine-user': user }: HostValues): Hosts {
  const machines = {
    switches: networks.map(switchOf),
    ...(user === undefined ? {} : { machineUser: namedUser(user) }),
  }
  const hosts = host.map((text) => hostOf(text, machines))
  const names = hosts.map(({ name }) => name.toLowerCase())
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated === undefined) return new Hosts(hosts)
  throw new Error(`two of --host are called ${repeated}; name them with --host NAME=…`)
}

/** The folders that hypervisors of a command line offer for disks, as far as it names them: who names the one means the other. */
export function diskFoldersOf(host: readonly string[] = []): readonly string[] {
  return host.flatMap((text) => {
    const { kind, place } = partsOf(text)
    return kind === 'qemu' && isAbsolute(place) ? [join(resolve(place), 'disks')] : []
  })
}

/** What machines of plain QEMU have in common. */
type MachineOptions = Pick<QemuHostOptions, 'switches' | 'machineUser'>

function hostOf(text: string, machines: MachineOptions): NamedHost {
  const { name = hostname(), kind, place } = partsOf(text)
  return { name, driver: driverOf(kind, place, machines, text) }
}

function partsOf(text: string): {
  readonly name: string | undefined
  readonly kind: string
  readonly place: string
} {
  const [, name, kind = '', place = ''] = /^(?:([^=:/\\]+)=)?([a-z-]+)(?::(.*))?$/.exec(text) ?? []
  return { name, kind, place }
}

function driverOf(kind: string, place: string, machines: MachineOptions, text: string): HostDriver {
  if (kind === 'hyper-v' && place === '') return new HyperVHost()
  if (kind === 'libvirt') return new LibvirtHost(place === '' ? {} : { uri: place })
  if (kind === 'qemu' && isAbsolute(place)) return new QemuHost({ machinesPath: place, ...machines })
  // For tests, and for nobody else: it is in no usage.
  if (kind === 'simulated' && isAbsolute(place)) return new SimulatedHostInFolder(place).driver()
  throw new Error(`--host must be qemu:DIR with an absolute path, libvirt:URI or hyper-v, not ${text}`)
}

function switchOf(text: string): QemuSwitch {
  return { id: switchIdOf(text), name: text, network: networkOf(text) }
}

function networkOf(text: string): QemuNetwork {
  const [, bridge] = /^bridge:([\w.-]{1,15})$/.exec(text) ?? []
  if (bridge !== undefined) return { kind: 'bridge', bridge }
  const [, group = '', port] = /^multicast:(2(?:2[4-9]|3\d)(?:\.\d{1,3}){3}):(\d{1,5})$/.exec(text) ?? []
  if (Number(port) > 0 && Number(port) < 65_536) return { kind: 'multicast', group, port: Number(port) }
  throw new Error(`--switch must be bridge:NAME or multicast:GROUP:PORT, not ${text}`)
}

/** A GUID that is the same whenever the agent is started with this switch (RFC 9562, version 8). */
function switchIdOf(text: string): string {
  const hex = createHash('sha256').update(`palisade switch ${text}`).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
