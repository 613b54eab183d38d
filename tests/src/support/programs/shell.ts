import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/** What bash did with a script. */
export interface ShellRun {
  /** null when it took too long. */
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Where a script runs, with what, and for how long at most. */
export interface ShellPlace {
  /** Its folder at first; that of the test when left out. */
  readonly cwd?: string
  /** All variables that it has. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly timeoutMs: number
  /** `loopback` for a network of its own, in which every port of loopback is free; the machine's when left out. */
  readonly network?: 'loopback'
}

/** Has bash run a script up to the first command that fails. What it leaves running is ended. */
export async function runInShell(
  script: string,
  { timeoutMs, network, ...place }: ShellPlace,
): Promise<ShellRun> {
  const bash = ['bash', '-e', '-o', 'pipefail', '-c', script]
  const [program = '', ...args] = network === undefined ? bash : [...ownNetwork(), ...bash]
  const shell = spawn(program, args, {
    ...place,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    timeout: timeoutMs,
  })
  const output = Promise.all([text(shell.stdout), text(shell.stderr)])
  const [status] = await once(shell, 'exit')
  endGroup(shell.pid)
  const [stdout, stderr] = await output
  return { status, stdout, stderr }
}

/** What begins a command that is to have a network of its own, also for users other than root. */
function ownNetwork(): string[] {
  const asRoot = process.getuid?.() === 0 ? [] : ['--map-root-user']
  return ['unshare', '--net', ...asRoot, 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
}

/** Whatever the shell has started is in its group. */
function endGroup(leader: number | undefined): void {
  if (leader === undefined) return
  try {
    process.kill(-leader, 'SIGTERM')
  } catch {
    // Nothing was left.
  }
}
