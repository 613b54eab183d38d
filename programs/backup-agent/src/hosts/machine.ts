/** How a machine starts: Hyper-V's generation 1 has a BIOS, generation 2 has UEFI. */
export type Firmware = 'bios' | 'uefi'

/** What a disk file looks like outside; `raw` is the bytes of the disk and nothing else. */
export type MachineDiskFormat = 'vhd' | 'vhdx' | 'raw'

/** A disk that exists already. Drivers attach it as it is and never make, grow or convert one. */
export interface MachineDisk {
  /** Absolute, as the host sees it. */
  readonly path: string
  readonly format: MachineDiskFormat
}

/** What a machine is to be. */
export interface MachineDefinition {
  /**
   * A UUID in lower case that the caller chose, and wrote down, before it asked for the machine. It is how a machine is
   * found again when the agent was killed in between.
   */
  readonly id: string
  /** What people call it: see `checkDefinition` for what a name may be. */
  readonly name: string
  readonly firmware: Firmware
  /** Virtual processors: a whole number within the host's capabilities. */
  readonly cores: number
  /** Whole mebibytes within the host's capabilities. */
  readonly memoryMebibytes: number
  /** In the order in which the machine sees them; it starts from the first one. */
  readonly disks: readonly MachineDisk[]
  /** The switch that its only network card is plugged into; without it the machine has no network card at all. */
  readonly switchId?: string
  /**
   * Keep what the machine writes to its first serial line, for `serialOutput`. It grows as long as the guest writes, so
   * it is for machines that are watched for a while and then removed. Ignored by hosts that cannot do it.
   */
  readonly recordSerial?: boolean
}

/**
 * - `absent`      the host has no machine of ours with this id
 * - `unfinished`  its definition was cut off; it can be defined again, or removed, and nothing else
 * - `off`         defined, and not running
 * - `running`     its processors run, whatever the guest does with them
 * - `paused`      it has memory and stands still, as after a failed write to a full disk
 */
export type MachineState = 'absent' | 'unfinished' | 'off' | 'running' | 'paused'

/** A machine that one of our drivers made. */
export interface Machine {
  /** The one of its definition. */
  readonly id: string
  /** Empty when it is unfinished and the name did not come so far. */
  readonly name: string
  readonly state: Exclude<MachineState, 'absent'>
}

/** A machine that has a name; `id` is there when it is ours. */
export interface NamedMachine {
  readonly name: string
  readonly id?: string
}

/** Whether two definitions ask for the same machine. */
export function isSameDefinition(one: MachineDefinition, other: MachineDefinition): boolean {
  return canonical(one) === canonical(other)
}

function canonical(definition: MachineDefinition): string {
  const {
    id,
    name,
    firmware,
    cores,
    memoryMebibytes,
    disks,
    switchId = '',
    recordSerial = false,
  } = definition
  const paths = disks.map(({ path, format }) => [path, format])
  return JSON.stringify([id, name, firmware, cores, memoryMebibytes, paths, switchId, recordSerial])
}
