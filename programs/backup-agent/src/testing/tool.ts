import { execFileSync, spawnSync } from 'node:child_process'
import type { TestContext } from 'node:test'

/** Debian keeps the tools that make file systems where only root looks for them. */
const environment = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin`, LC_ALL: 'C' }

/** Whether tools are installed, by their names. */
const installed = new Map<string, boolean>()

/** Whether all tools are there; skips the test, saying which one is not. */
export function hasTools(t: Pick<TestContext, 'skip'>, ...tools: readonly string[]): boolean {
  const missing = tools.find((name) => !isInstalled(name))
  if (missing !== undefined) t.skip(`${missing} is not installed`)
  return missing === undefined
}

function isInstalled(name: string): boolean {
  const answer = installed.get(name) ?? spawnSync('which', [name], { env: environment }).status === 0
  installed.set(name, answer)
  return answer
}

/** Runs a tool and gives what it prints. Throws with what it complained about when it fails. */
export function run(tool: string, ...parameters: readonly string[]): string {
  return execFileSync(tool, parameters, {
    env: environment,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** The same for what is not text. */
export function runForBytes(tool: string, ...parameters: readonly string[]): Buffer {
  return execFileSync(tool, parameters, {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 256 * 1024 * 1024,
  })
}
