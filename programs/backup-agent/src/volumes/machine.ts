import { readdir, readFile, realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** Where a Linux tells about its block devices. */
export interface Machine {
  readonly sys: string
  readonly proc: string
  readonly dev: string
}

/** The machine that this runs on. */
export const thisMachine: Machine = { sys: '/sys', proc: '/proc', dev: '/dev' }

/** A block device as the kernel tells of it (kernel documentation, "sysfs-block" and "sysfs-class-block"). */
export interface BlockDevice {
  /** In /sys/class/block, such as `sda`, `sda1` or `dm-0`. */
  readonly name: string
  /** Such as `8:1`. */
  readonly number: string
  readonly sizeBytes: number
  readonly isRemovable: boolean
  /** The disk that this is a partition of, and its number there. */
  readonly partition: { readonly disk: string; readonly number: number } | undefined
  /** Of the device mapper: the name in /dev/mapper, and what made it, such as `LVM-…` or `CRYPT-…`. */
  readonly mapping: { readonly name: string; readonly uuid: string } | undefined
  /** Of a software RAID: `raid1` and the like. */
  readonly raidLevel: string | undefined
  /** What it is made of: devices below a mapping or a RAID. */
  readonly slaves: readonly string[]
}

const sysfsSectorSizeBytes = 512

/** One block device; undefined when the kernel knows of none with this name. */
export async function readBlockDevice(machine: Machine, name: string): Promise<BlockDevice | undefined> {
  const directory = join(machine.sys, 'class/block', name)
  const number = await readText(join(directory, 'dev'))
  if (number === undefined) return undefined
  const text = (file: string) => readText(join(directory, file))
  const partitionNumber = await text('partition')
  const mappingName = await text('dm/name')
  return {
    name,
    number,
    sizeBytes: Number((await text('size')) ?? 0) * sysfsSectorSizeBytes,
    isRemovable: (await text('removable')) === '1',
    partition:
      partitionNumber === undefined
        ? undefined
        : { disk: basename(join(await realpath(directory), '..')), number: Number(partitionNumber) },
    mapping:
      mappingName === undefined ? undefined : { name: mappingName, uuid: (await text('dm/uuid')) ?? '' },
    raidLevel: await text('md/level'),
    slaves: await list(join(directory, 'slaves')),
  }
}

/** All block devices, partitions among them, by name. */
export async function readBlockDevices(machine: Machine): Promise<readonly BlockDevice[]> {
  const names = await list(join(machine.sys, 'class/block'))
  const devices = await Promise.all(names.map((name) => readBlockDevice(machine, name)))
  return devices.filter((device) => device !== undefined)
}

/** Where a device is known to everybody: a mapping by its name, which stays, and not by its number. */
export function pathOf(machine: Machine, { name, mapping }: BlockDevice): string {
  return mapping === undefined
    ? join(machine.dev, name.replaceAll('!', '/'))
    : join(machine.dev, 'mapper', mapping.name)
}

/** The disks that a device lies on, itself if it is one. */
export async function disksBelow(
  machine: Machine,
  device: BlockDevice,
  depthMax = 8,
): Promise<readonly BlockDevice[]> {
  const below = device.partition === undefined ? device.slaves : [device.partition.disk]
  if (below.length === 0 || depthMax === 0) return [device]
  const disks = new Map<string, BlockDevice>()
  for (const name of below) {
    const lower = await readBlockDevice(machine, name)
    for (const disk of lower ? await disksBelow(machine, lower, depthMax - 1) : []) disks.set(disk.name, disk)
  }
  return [...disks.values()]
}

/** Where devices are mounted, by their numbers and by their paths; the first place counts. */
export async function readMounts(machine: Machine): Promise<ReadonlyMap<string, readonly string[]>> {
  const places = new Map<string, string[]>()
  const text = (await readText(join(machine.proc, 'self/mountinfo'))) ?? ''
  for (const line of text.split('\n')) {
    // Fields: id, parent, device, root, mount point, options, tags …, "-", type, source (proc(5)).
    const fields = line.split(' ')
    const [number, place] = [fields[2], fields[4]]
    const source = fields[fields.indexOf('-') + 2]
    if (number === undefined || place === undefined || source === undefined) continue
    for (const key of [number, source]) places.set(key, [...(places.get(key) ?? []), unescapeMount(place)])
  }
  return places
}

/** Spaces and the like are written as octal numbers. */
function unescapeMount(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch {
    // Most devices have few of these files; and one that is pulled out while it is looked at has none.
    return undefined
  }
}

async function list(path: string): Promise<readonly string[]> {
  try {
    return (await readdir(path)).sort()
  } catch {
    // The same here: no such folder is no entries.
    return []
  }
}
