import { ruleSetName, ruleSetNamesMax } from '@palisade/proxy-protocol'
import { fault, isObject, objectIn, refuseUnknownMembers, text } from './configuration-members.ts'
import {
  type CandidateRuleFiles,
  type NamedRuleFiles,
  type RuleChoice,
  ruleFileMembers,
  withoutRulesValues,
} from './inspection/rule-files.ts'

/**
 * The rules that a configuration names.
 *
 * @param at finds a path from the folder of the configuration
 * @throws ConfigurationError
 */
export function rulesIn(document: Record<string, unknown>, at: (path: string) => string): RuleChoice {
  const rules = objectIn(document, 'rules') ?? {}
  const pathOf = (name: string) => {
    const path = text(rules, name, 'rules.')
    return path === undefined ? undefined : at(path)
  }
  const policy = text(rules, 'withoutRules', 'rules.') ?? 'refuse'
  const withoutRules = withoutRulesValues.find((value) => value === policy)
  if (withoutRules === undefined) {
    throw fault(
      `rules.withoutRules is "${policy}"; expected: ${new Intl.ListFormat('en', { type: 'disjunction' }).format(withoutRulesValues)}`,
    )
  }
  const [choiceFile, libraryFolder] = [pathOf('choiceFile'), pathOf('libraryFolder')]
  const releasesFolder = pathOf('releasesFolder')
  return {
    named: ruleFilesIn(rules, 'rules.', at),
    ...(choiceFile === undefined ? {} : { choiceFile }),
    ...(libraryFolder === undefined ? {} : { libraryFolder }),
    ...(releasesFolder === undefined ? {} : { releasesFolder }),
    withoutRules,
    candidates: candidatesIn(rules, at),
  }
}

/** @param where what stands before the names of the members, such as "rules." */
function ruleFilesIn(rules: object, where: string, at: (path: string) => string): NamedRuleFiles {
  const pathsByName = ruleFileMembers.flatMap((name) => {
    const path = text(rules, name, where)
    return path === undefined ? [] : [[name, at(path)] as const]
  })
  return Object.fromEntries(pathsByName)
}

function candidatesIn(
  { candidates = [] }: { candidates?: unknown },
  at: (path: string) => string,
): CandidateRuleFiles[] {
  if (!Array.isArray(candidates) || !candidates.every(isObject))
    throw fault(
      `rules.candidates must be a list of objects with a name and some of the members ${ruleFileMembers.join(', ')}`,
    )
  if (candidates.length > ruleSetNamesMax)
    throw fault(`rules.candidates must have at most ${ruleSetNamesMax} rule sets`)
  return candidates.map((candidate, index) => {
    const where = `rules.candidates[${index}]`
    refuseUnknownMembers(['name', ...ruleFileMembers], candidate, `${where}.`)
    const name = text(candidate, 'name', `${where}.`)
    if (name === undefined || !ruleSetName.test(name))
      throw fault(`${where}.name must be at most 64 letters, digits, dots, dashes and underscores`)
    return { name, files: ruleFilesIn(candidate, `${where}.`, at) }
  })
}
