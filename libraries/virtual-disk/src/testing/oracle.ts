import { spawnSync } from 'node:child_process'
import type { TestContext } from 'node:test'

export interface OracleAnswer {
  readonly status: number | null
  /** What the tool said on both of its outputs. */
  readonly text: string
}

/** Whether somebody else's tool is installed; skips the test, saying so, when it is not. */
export function hasOracle(t: TestContext, tool: string): boolean {
  const isInstalled = spawnSync('sh', ['-c', 'command -v "$1"', 'sh', tool]).status === 0
  if (!isInstalled) t.skip(`${tool} is not installed`)
  return isInstalled
}

/** Some tools never end when a disk is damaged enough. */
const MILLISECONDS_MAX = 60_000

/** Runs the tool to its end, or until it has taken too long; its status is then null. */
export function askOracle(tool: string, ...args: readonly string[]): OracleAnswer {
  return askOracleWith({}, tool, ...args)
}

/** The same with something for the tool to read, or less time for it to take. */
export function askOracleWith(
  {
    input = '',
    millisecondsMax = MILLISECONDS_MAX,
  }: { readonly input?: string; readonly millisecondsMax?: number },
  tool: string,
  ...args: readonly string[]
): OracleAnswer {
  const { status, stdout, stderr } = spawnSync(tool, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    input,
    timeout: millisecondsMax,
    killSignal: 'SIGKILL',
  })
  return { status, text: stdout + stderr }
}
