import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../repository/root.ts'
import { descendantsOf, killIfThere } from './process-state.ts'

/** The `palisade` command as it is installed. */
export const palisade = join(root, 'programs', 'palisade', 'bin', 'palisade.js')

/** @param enter the command that runs it elsewhere, such as in another namespace */
export function palisadeCommand(enter: readonly string[] = []): readonly [string, ...string[]] {
  const [first = process.execPath, ...more] = [...enter, process.execPath, palisade]
  return [first, ...more]
}

/** A machine with much else to do takes half a minute for a proxy and its workers. */
const lineTimeoutMs = 120_000

/** A program of ours that was started, with everything that it has printed so far. */
export class Program {
  static readonly #running = new Set<Program>()

  /** Kills whatever a test that failed has left behind. */
  static async stopAll(): Promise<void> {
    await Promise.all([...Program.#running].map((program) => program.kill()))
  }

  readonly #child: ChildProcess
  readonly #lines: string[] = []
  readonly #waiting = new Set<() => void>()
  readonly #ended: Promise<{ status: number | null; signal: NodeJS.Signals | null }>

  /**
   * @param environment variables beside those below; nothing else of the caller's environment is passed on
   * @param command what `argv` follows: the program and its own arguments
   */
  constructor(
    argv: readonly string[],
    environment: Readonly<Record<string, string>> = {},
    cwd = root,
    command = palisadeCommand(),
  ) {
    const [program, ...before] = command
    this.#child = spawn(program, [...before, ...argv], {
      cwd,
      env: { ...ownEnvironment(), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (!stream) continue
      createInterface({ input: stream }).on('line', (line) => {
        this.#lines.push(line)
        for (const look of this.#waiting) look()
      })
    }
    Program.#running.add(this)
    this.#ended = once(this.#child, 'close').then(([status, signal]) => {
      Program.#running.delete(this)
      return { status, signal }
    })
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error('the program could not be started')
    return this.#child.pid
  }

  get output(): string {
    return this.#lines.join('\n')
  }

  /** The first line that matches, now or within two minutes. */
  async line(pattern: RegExp): Promise<RegExpExecArray> {
    const find = () => {
      for (const line of this.#lines) {
        const match = pattern.exec(line)
        if (match) return match
      }
      return undefined
    }
    const firstMatch = find()
    if (firstMatch) return firstMatch
    return new Promise((resolve, reject) => {
      const look = () => {
        const match = find()
        if (!match) return
        this.#waiting.delete(look)
        resolve(match)
      }
      this.#waiting.add(look)
      setTimeout(
        () => reject(new Error(`no ${pattern} in ${lineTimeoutMs} ms:\n${this.output}`)),
        lineTimeoutMs,
      ).unref()
      this.#ended.then(({ status }) =>
        reject(new Error(`ended with ${status} before ${pattern}:\n${this.output}`)),
      )
    })
  }

  ended(): Promise<{ status: number | null; signal: NodeJS.Signals | null }> {
    return this.#ended
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  /** Ends the program and waits until it is gone. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.signal(signal)
    return (await this.#ended).status
  }

  /** Kills the program and the processes that it has started, which could outlive it, and waits until they are gone. */
  async kill(): Promise<void> {
    const started = descendantsOf(this.pid)
    this.signal('SIGKILL')
    for (const pid of started) killIfThere(pid)
    await this.#ended
  }

  /** The most memory that the process has held so far, in bytes. */
  peakMemoryBytes(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8')
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024
  }
}

/** Where programs are found, and where Node keeps what it has compiled: `scripts/test.mjs` names a folder for that. */
export function ownEnvironment(): Readonly<Record<string, string>> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  return { PATH, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) }
}
