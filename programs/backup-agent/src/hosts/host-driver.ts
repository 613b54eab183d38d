import type {
  Firmware,
  Machine,
  MachineDefinition,
  MachineDisk,
  MachineDiskFormat,
  MachineState,
  NamedMachine,
} from './machine.ts'

/** What may be chosen for a machine: multiples of `increment`, `minimum <= default <= maximum`. */
export interface Allocation {
  readonly default: number
  readonly minimum: number
  /** What the host can give now. */
  readonly maximum: number
  readonly increment: number
}

/** What a host can do; the reference's section 2.4 derives its flags from `firmware` and `diskFormats`. */
export interface HostCapabilities {
  readonly hypervisor: { readonly name: string; readonly version: string }
  /** `uefi` among them is what the reference calls `supportsVmGenerations`. */
  readonly firmware: readonly Firmware[]
  /** `vhdx` among them is what the reference calls `supportsVhdxFormat`. */
  readonly diskFormats: readonly MachineDiskFormat[]
  readonly cores: Allocation
  /** In mebibytes. */
  readonly memoryMebibytes: Allocation
  /** How many disks a machine of each firmware can have. */
  readonly disksMaximum: Readonly<Record<Firmware, number>>
  /** Whether `serialOutput` gives anything. */
  readonly canRecordSerial: boolean
}

/** Where a host keeps things unless told otherwise. */
export interface HostSettings {
  /** Offered as the place for disks; absolute, as the host sees it. */
  readonly virtualDisksPath: string
  /** Where definitions and variable stores of machines are. */
  readonly machinesPath: string
}

/** A network of the host to which machines can be connected. */
export interface VirtualSwitch {
  /** Stable; often a GUID. */
  readonly id: string
  readonly name: string
}

/** Why a host cannot be used at all. */
export interface UnsupportedReason {
  readonly code:
    | 'hypervisor-missing'
    | 'hypervisor-too-old'
    | 'host-unreachable'
    | 'access-denied'
    | 'path-unusable'
  /** One sentence for the operator: what is wrong, and what would help. */
  readonly message: string
}

/** How a machine was brought to a halt. */
export type StopOutcome = 'was-off' | 'graceful' | 'hard'

/** What a machine shows at one moment. */
export interface Screen {
  readonly png: Buffer
  /** The letters of a display in text mode, one line a row; empty when it draws pictures. */
  readonly text: string
}

/** One hypervisor that defines and runs machines. Every driver passes the suite in `testing/conformance.ts`. */
export interface HostDriver {
  /**
   * Why this host cannot be used; none when it can. Rejects only with an internal error: a host that does not answer is
   * a reason too.
   */
  unsupportedReasons(): Promise<readonly UnsupportedReason[]>

  capabilities(): Promise<HostCapabilities>

  settings(): Promise<HostSettings>

  virtualSwitches(): Promise<readonly VirtualSwitch[]>

  /** Refuses `disk-unusable` with the first of these files that the host cannot read and write, as far as that can be told. */
  checkDisks(disks: readonly MachineDisk[]): Promise<void>

  /**
   * Makes a machine that is off, tagged as ours. All that can be checked is checked before anything changes: its
   * name, capabilities, disks, switch.
   *
   * May be called again with the same definition, after a failure or a kill too: what is missing is added, what is
   * there stays. Refuses `machine-differs` for an id that has another definition, and `name-taken` when any other
   * machine has the name. Two calls at once for one id or one name are not guarded against each other.
   */
  define(definition: MachineDefinition, signal?: AbortSignal): Promise<void>

  /**
   * Starts a machine that is off; one that runs already is fine. Resolves when the hypervisor runs it, which says
   * nothing about the guest. The machine goes on when the agent ends.
   */
  start(id: string, signal?: AbortSignal): Promise<void>

  /**
   * Asks the guest to shut down, waits `graceMs`, and then cuts its power; 0 cuts it at once. A machine that is off
   * is fine. Resolves when nothing of it runs and its disks are closed.
   */
  stop(id: string, graceMs: number, signal?: AbortSignal): Promise<StopOutcome>

  state(id: string): Promise<MachineState>

  /**
   * Removes whatever there is of a machine of ours, running, half made or half removed; none being there is fine. With
   * `disks` the disk files of its definition go first, so that a second call after a kill still knows them; disks of
   * an unfinished machine are not known here and are the caller's.
   */
  remove(id: string, options: { readonly disks: boolean }): Promise<void>

  /** The machine that has this name, ours or not. */
  find(name: string): Promise<NamedMachine | undefined>

  /** All machines of ours, the unfinished ones too. */
  list(): Promise<readonly Machine[]>

  /**
   * What a machine with `recordSerial` wrote to its serial line since it was last started, to be had after it ended too; the
   * last 256 KiB of it. Empty when nothing was written or nothing is kept.
   */
  serialOutput(id: string): Promise<Buffer>

  /**
   * What a running machine shows; undefined when it does not run or has no picture now. Left out by drivers that cannot
   * tell.
   */
  screen?(id: string): Promise<Screen | undefined>
}

/*
 * For all methods:
 *
 * - Failures are `HostFailure`s. What a driver did not foresee has the code `host-error`.
 * - No driver tries anything twice; the caller does, where it may: `host-unreachable` and `timed-out` may pass by
 *   themselves, everything else stays until something changes.
 * - Every call ends: commands have a time limit, after which the call rejects with `timed-out`. What it began may
 *   still come about on the host.
 * - An aborted signal rejects with its reason. What was begun may be there, half or whole: `remove` unwinds it.
 * - Methods that name a machine reject with `machine-absent` for ids that are not of ours, but `state` and `remove`.
 */
