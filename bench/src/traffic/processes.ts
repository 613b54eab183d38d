import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

/** Two minutes of them: a machine with much else to do takes half a minute for a proxy and its workers. */
const startAttempts = 1200

/** Ticks of `/proc/PID/stat` in a second, on every Linux. */
export const ticksPerSecond = 100

/** A program that was started for a benchmark, with whatever it starts itself. */
export class BenchProcess {
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  /**
   * Starts a program on one core and waits until it takes connections.
   *
   * @throws Error when it ends before, with what it said
   */
  static async start(
    core: number,
    port: number,
    [program, ...argv]: readonly [string, ...string[]],
    environment: Readonly<Record<string, string>> = {},
  ): Promise<BenchProcess> {
    const child = spawn('taskset', ['-c', String(core), program, ...argv], {
      env: { PATH: process.env.PATH ?? '', HOME: '/tmp', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (bytes: Buffer) => {
        said = (said + bytes).slice(-10_000)
      })
    }
    for (let attempt = 0; attempt < startAttempts; attempt++) {
      if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}: ${said}`)
      const answers = await fetch(`http://127.0.0.1:${port}/`).then(
        (reply) => reply.arrayBuffer().then(() => true),
        () => false,
      )
      if (answers) return new BenchProcess(child)
      await setTimeout(100)
    }
    child.kill('SIGKILL')
    throw new Error(`${program} does not answer: ${said}`)
  }

  /** CPU time that the program has used so far, in seconds. */
  cpuSeconds(): number {
    return this.pids().reduce((sum, pid) => sum + cpuTicks(pid), 0) / ticksPerSecond
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.kill('SIGTERM')
    await once(this.#child, 'exit')
  }

  /** The program and its children in the order of their starts; taskset has become the program. */
  pids(): readonly number[] {
    const { pid } = this.#child
    if (pid === undefined) return []
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
    return [pid, ...children]
  }
}

function cpuTicks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name, in parentheses, may hold anything; user and system time are the 14th and 15th field.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}
