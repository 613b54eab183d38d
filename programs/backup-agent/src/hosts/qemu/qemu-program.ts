import { freemem } from 'node:os'
import { HostFailure } from '../failure.ts'
import type { MachineDefinition } from '../machine.ts'
import { runBounded } from '../run-bounded.ts'
import { chooseAccelerator } from './choose-accelerator.ts'
import { type Accelerator, type QemuParts, qemuParameters, sandboxParameters } from './command-line.ts'
import { type Launch, launch, type QemuExit } from './launch.ts'
import type { MachineUser } from './machine-user.ts'

const queryTimeoutMs = 15_000
/** Less has no room for the firmware. */
const memoryMinimumMebibytes = 32

/** The QEMU that is installed here, as a command that can be run. */
export class QemuProgram {
  readonly #name: string
  readonly #wantedAccelerator: Accelerator | 'probe'
  readonly #accelerators = new Map<boolean, Promise<Accelerator>>()
  #canBeConfined: Promise<boolean> | undefined

  /** @param wantedAccelerator `probe` tries KVM, once, when somebody asks for the accelerator */
  constructor(name: string, wantedAccelerator: Accelerator | 'probe') {
    this.#name = name
    this.#wantedAccelerator = wantedAccelerator
  }

  /** @throws HostFailure when it is not installed, or does not say its version */
  async version(): Promise<string> {
    const { status, stdout, stderr } = await runBounded(this.#name, ['--version'], {
      timeoutMs: queryTimeoutMs,
    })
    const version = /version (\d+(?:\.\d+)*)/.exec(stdout)?.[1]
    if (status === 0 && version !== undefined) return version
    const message = `${this.#name} does not say its version: ${firstLine(stderr)}`
    throw new HostFailure({ code: 'host-error' }, message)
  }

  /** @param user of the machine: that this agent may use KVM does not say that another may */
  accelerator(user: MachineUser | undefined): Promise<Accelerator> {
    if (this.#wantedAccelerator !== 'probe') return Promise.resolve(this.#wantedAccelerator)
    const isOwn = user === undefined
    const accelerator = this.#accelerators.get(isOwn) ?? chooseAccelerator(this.#name, user)
    this.#accelerators.set(isOwn, accelerator)
    return accelerator
  }

  /** Whether it was built with what keeps it from doing anything but running a machine (seccomp). */
  canBeConfined(): Promise<boolean> {
    this.#canBeConfined ??= runBounded(this.#name, [...sandboxParameters, '-machine', 'help'], {
      timeoutMs: queryTimeoutMs,
    }).then(({ status }) => status === 0)
    return this.#canBeConfined
  }

  /**
   * Runs a machine in a folder of its own; resolves when QEMU has opened everything.
   *
   * @param isConfined whether in its sandbox
   * @param onStarted see {@link launch}
   * @throws HostFailure what QEMU said before it ended
   */
  async start(
    definition: MachineDefinition,
    parts: QemuParts,
    how: Launch & { readonly parameters: readonly string[]; readonly isConfined: boolean },
    onStarted: (pid: number) => Promise<void>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const confined = how.isConfined ? sandboxParameters : []
    const parameters = [...confined, ...how.parameters, ...qemuParameters(definition, parts)]
    const ended = await launch(this.#name, parameters, how, onStarted, signal)
    if (ended !== undefined) throw startFailure(definition, parts, ended)
  }
}

/** What a machine can have of the memory that is free now. */
export function memoryRangeMebibytes(): { readonly minimum: number; readonly maximum: number } {
  return { minimum: memoryMinimumMebibytes, maximum: Math.floor(freemem() / 1024 ** 2) }
}

/** What QEMU said before it ended, as one of our failures. */
function startFailure(
  { disks, memoryMebibytes }: MachineDefinition,
  { diskNames = [] }: QemuParts,
  { stderr, signal }: QemuExit,
): HostFailure {
  const reason = signal === null ? firstLine(stderr) : `it was ended by ${signal}`
  const message = `QEMU does not start the machine: ${reason}`
  if (/cannot set up guest memory|Cannot allocate memory/.test(stderr)) {
    const range = { ...memoryRangeMebibytes(), provided: memoryMebibytes }
    return new HostFailure({ code: 'memory-out-of-range', ...range }, message)
  }
  const isNamed = (name: string | undefined) => name !== undefined && stderr.includes(name)
  const disk = disks.find(
    ({ path }, index) =>
      isNamed(path) || isNamed(`"disk${index}"`) || isNamed(diskNames[index] && `'${diskNames[index]}'`),
  )
  if (disk !== undefined) return new HostFailure({ code: 'disk-unusable', path: disk.path }, message)
  return new HostFailure({ code: 'host-error' }, message)
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? ''
}
