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
 * @throws RuleFailure with file and line of what is not understood
 */
export function tryRules(folder: string): TriedRules {
  const command = [process.argv[1] ?? '', 'proxy', '--try-rules', folder]
  const { stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8', timeout: trialMaxMs })
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
