import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import type { Program } from '@palisade/tests'

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

/** Runs a program and says what the system says of it when it has ended; Node does not tell that of children. */
const runner = `
import json, resource, subprocess, sys, time
begun = time.monotonic()
status = subprocess.run(sys.argv[1:], stdout=sys.stderr).returncode
wall = time.monotonic() - begun
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps({'status': status, 'wall': wall, 'cpu': used.ru_utime + used.ru_stime, 'peak': used.ru_maxrss * 1024}))
`

/** How a peer is run. */
export interface Command {
  /** Program and arguments. */
  readonly argv: readonly string[]
  readonly cwd?: string
  readonly environment?: Readonly<Record<string, string>>
}

/** Runs a program from its start to its end. Rejects with what it printed when it fails. */
export async function measureCommand({ argv, cwd, environment }: Command): Promise<Measurement> {
  const child = spawn('python3', ['-c', runner, ...argv], {
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let report = ''
  let printed = ''
  child.stdout.on('data', (bytes) => {
    report += bytes
  })
  child.stderr.on('data', (bytes) => {
    printed += bytes
  })
  await once(child, 'close')
  if (report === '') throw new Error(`${argv.join(' ')} could not be run: ${printed}`)
  const { status, wall, cpu, peak }: Record<'status' | 'wall' | 'cpu' | 'peak', number> = JSON.parse(report)
  if (status !== 0) throw new Error(`${argv.join(' ')} ended with ${status}: ${printed}`)
  return { wallSeconds: wall, cpuSeconds: cpu, peakBytes: { '': peak } }
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

/** User and system time of all threads of a process (proc(5), fields 14 and 15 of stat). */
function cpuSecondsOf(pid: number): number {
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
