import { readFileSync, writeFileSync } from 'node:fs'
import type { Program } from '@palisade/tests'
import { askPython } from './python.ts'

/** What a piece of work took. */
export interface Measurement {
  readonly wallSeconds: number
  /** Of all processes, in user and system mode. What the kernel does later on its own account is in nobody's. */
  readonly cpuSeconds: number
  /** The most memory that each process held meanwhile. */
  readonly peakBytes: Readonly<Record<string, number>>
}

/** Linux counts processor time in /proc in hundredths of a second on every machine. */
const ticksPerSecond = 100

/** How a peer is run. */
export interface Command {
  /** Program and arguments. */
  readonly argv: readonly string[]
  readonly cwd?: string
  readonly environment?: Readonly<Record<string, string>>
}

/** Runs a program from its start to its end. Rejects with what it printed when it fails. */
export async function measureCommand({
  argv,
  cwd = process.cwd(),
  environment = {},
}: Command): Promise<Measurement> {
  const reply = await askPython({ do: 'measure', argv, cwd, environment })
  if (reply.status !== 0) throw new Error(`${argv.join(' ')} ended with ${reply.status}: ${reply.output}`)
  return {
    wallSeconds: Number(reply.wall),
    cpuSeconds: Number(reply.cpu),
    peakBytes: { '': Number(reply.peak) },
  }
}

/** What work took that programs which run anyway have done. */
export async function measurePrograms(
  programs: Readonly<Record<string, Program>>,
  work: () => Promise<void>,
): Promise<Measurement> {
  const all = Object.values(programs)
  const cpuSeconds = () => all.reduce((sum, { pid }) => sum + cpuSecondsOf(pid), 0)
  for (const { pid } of all) forgetPeakMemory(pid)
  const cpuBefore = cpuSeconds()
  const begun = performance.now()
  await work()
  return {
    wallSeconds: (performance.now() - begun) / 1000,
    cpuSeconds: cpuSeconds() - cpuBefore,
    peakBytes: Object.fromEntries(
      Object.entries(programs).map(([name, program]) => [name, program.peakMemoryBytes()]),
    ),
  }
}

/** User and system time of all threads of a process so far, in seconds (proc(5), fields 14 and 15 of stat). */
export function cpuSecondsOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const [user, system] = status
    .slice(status.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(user) + Number(system)) / ticksPerSecond
}

/** From here on VmHWM counts anew (proc(5), clear_refs). */
function forgetPeakMemory(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}
