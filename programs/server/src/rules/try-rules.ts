import { spawnSync } from 'node:child_process'
import { RuleFailure } from './rule-failure.ts'

const trialMaxMs = 60_000

/** What loading a folder of rules has shown. */
export interface TriedRules {
  /** As the rules call it, such as `OWASP_CRS/4.20.0`; may be empty. */
  readonly release: string
  readonly ruleCount: number
  /** What the owner should know of them. Sentences; may be empty. */
  readonly notice: string
}

/**
 * Loads rules as a proxy does, in a process of its own.
 *
 * @param libraryFolder where libraries that rules ask are, for a system that lacks them; it may be missing
 * @throws RuleFailure with file and line of what is not understood
 */
export function tryRules(folder: string, libraryFolder: string): TriedRules {
  const { stdout, stderr } = runProxyCommand('--try-rules', folder, '--libraries', libraryFolder)
  let answer: (TriedRules & { readonly problem: string }) | undefined
  try {
    answer = JSON.parse(stdout)
  } catch {
    throw new RuleFailure(`The rules in ${folder} could not be tried: ${stderr.trim() || 'no answer came'}`)
  }
  if (answer === undefined || answer.problem !== '') {
    throw new RuleFailure(answer?.problem ?? `The rules in ${folder} could not be tried.`)
  }
  return answer
}

/**
 * Loads the libraries that rules ask as a proxy does, in a process of its own.
 *
 * @param folder where they are, for a system that lacks them; it may be missing
 * @returns why rules that ask them would never match; empty where they have what they ask
 */
export function problemOfLibraries(folder: string): string {
  const { status, stderr } = runProxyCommand('--try-libraries', folder)
  return status === 0 ? '' : stderr.trim() || 'the library could not be tried'
}

function runProxyCommand(...args: readonly string[]) {
  const command = [process.argv[1] ?? '', 'proxy', ...args]
  return spawnSync(process.execPath, command, { encoding: 'utf8', timeout: trialMaxMs })
}
