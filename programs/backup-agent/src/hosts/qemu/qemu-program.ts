import { freemem } from 'node:os'
import { HostFailure } from '../failure.ts'
import type { MachineDefinition } from '../machine.ts'
import { type CommandResult, runBounded } from '../run-bounded.ts'
import { chooseAccelerator } from './choose-accelerator.ts'
import { type Accelerator, type QemuParts, qemuParameters } from './command-line.ts'

const startTimeoutMs = 30_000
const queryTimeoutMs = 15_000
/** Less has no room for the firmware. */
const memoryMinimumMebibytes = 32

/** The QEMU that is installed here, as a command that can be run. */
export class QemuProgram {
  readonly #name: string
  readonly #wantedAccelerator: Accelerator | 'probe'
  #accelerator: Promise<Accelerator> | undefined

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

  accelerator(): Promise<Accelerator> {
    this.#accelerator ??=
      this.#wantedAccelerator === 'probe'
        ? chooseAccelerator(this.#name)
        : Promise.resolve(this.#wantedAccelerator)
    return this.#accelerator
  }

  /**
   * Runs a machine in a folder of its own; ends when QEMU has opened everything and put itself into the background.
   *
   * @throws HostFailure what QEMU said before it ended
   */
  async start(
    definition: MachineDefinition,
    parts: QemuParts,
    folderPath: string,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const result = await runBounded(this.#name, qemuParameters(definition, parts), {
      timeoutMs: startTimeoutMs,
      directory: folderPath,
      signal,
    })
    if (result.status !== 0) throw startFailure(definition, result)
  }
}

/** What a machine can have of the memory that is free now. */
export function memoryRangeMebibytes(): { readonly minimum: number; readonly maximum: number } {
  return { minimum: memoryMinimumMebibytes, maximum: Math.floor(freemem() / 1024 ** 2) }
}

/** What QEMU said before it ended, as one of our failures. */
function startFailure({ disks, memoryMebibytes }: MachineDefinition, { stderr }: CommandResult): HostFailure {
  const message = `QEMU does not start the machine: ${firstLine(stderr)}`
  if (/cannot set up guest memory|Cannot allocate memory/.test(stderr)) {
    const range = { ...memoryRangeMebibytes(), provided: memoryMebibytes }
    return new HostFailure({ code: 'memory-out-of-range', ...range }, message)
  }
  const disk = disks.find(({ path }, index) => stderr.includes(path) || stderr.includes(`"disk${index}"`))
  if (disk !== undefined) return new HostFailure({ code: 'disk-unusable', path: disk.path }, message)
  return new HostFailure({ code: 'host-error' }, message)
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? ''
}
