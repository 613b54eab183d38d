import type { SnapshotAttackTypes } from '@palisade/proxy-protocol'
import type { RuleExclusion } from '@palisade/seclang'
import { harmlessExclusions } from './harmless-exclusions.ts'
import type { Policy } from './policy.ts'
import {
  type AttackPlace,
  attackOf,
  attacksOfRules,
  type RuleGroup,
  ruleGroups,
  variablesOfPlaces,
} from './rule-attacks.ts'

/** What of a request is checked, and for what; an absent part is not looked at by rules about attacks. */
export interface CheckedParts {
  readonly url: SnapshotAttackTypes | undefined
  readonly parameter: SnapshotAttackTypes | undefined
  /** Names of parameters that no rule looks at; `*` stands for any characters. */
  readonly ignoredParameters: readonly string[]
  /** Whether what is found in URLs and parameters is logged only. */
  readonly isPassive: boolean
}

/** Rules about methods and content types that policies allow: policies themselves say which. */
const decidedElsewhere = [911_100, 920_420]

/** Whatever rules about proper HTTP look at. */
const variablesOfRequests = [...Object.values(variablesOfPlaces).flat(), 'REQUEST_METHOD', 'REQUEST_PROTOCOL']

/**
 * What the rules leave out, so that they find what policy and profile want to be found: sorts of attacks that are not listed, or
 * that are to be let pass. What is let pass and logged stays in the log and raises no score.
 */
export function exclusionsFor(policy: Policy, parts: CheckedParts): RuleExclusion[] {
  return [
    ...harmlessExclusions(policy.snapshot?.urlProtection),
    ...(parts.url === undefined
      ? []
      : decidedElsewhere.map((number) => ({ rules: { first: number, last: number } }))),
    ...ruleGroups.flatMap((group) =>
      (['url', 'parameter', 'header'] as const).flatMap((place) => exclusionsOf(group, place, policy, parts)),
    ),
    ...Object.entries(attacksOfRules).flatMap(([attack, rules]) => exclusionsOfRules(policy, attack, rules)),
    ...exceptions('url', parts.url),
    ...exceptions('parameter', parts.parameter),
    ...parts.ignoredParameters.map((name) => ({
      rules: { first: 1, last: Number.MAX_SAFE_INTEGER },
      targets: argumentsNamed(name),
    })),
  ]
}

function exclusionsOf(
  group: RuleGroup,
  place: AttackPlace,
  policy: Policy,
  parts: CheckedParts,
): RuleExclusion[] {
  const action = policy.actionFor(attackOf(group, place))
  const isChecked = place === 'header' || isListed(group, parts[place])
  const isPassive = !action.denies || (parts.isPassive && place !== 'header')
  if (isChecked && !isPassive) return []
  const isLogged = isChecked && action.logs
  return group.rules.map((rules) => ({ rules, targets: variablesOfPlaces[place], isLogged }))
}

function exclusionsOfRules(policy: Policy, attack: string, rules: readonly number[]): RuleExclusion[] {
  const { denies, logs } = policy.actionFor(attack)
  if (denies) return []
  return rules.map((number) => ({
    rules: { first: number, last: number },
    ...(logs ? { targets: variablesOfRequests, isLogged: true } : {}),
  }))
}

function isListed({ type, isOptional }: RuleGroup, types: SnapshotAttackTypes | undefined): boolean {
  return types !== undefined && (!isOptional || types.ofRules.includes(type))
}

function exceptions(place: 'url' | 'parameter', types: SnapshotAttackTypes | undefined): RuleExclusion[] {
  const numbers = types?.exceptRules ?? []
  return numbers.map((number) => ({
    rules: { first: number, last: number },
    targets: variablesOfPlaces[place],
  }))
}

function argumentsNamed(name: string): string[] {
  const bytes = Buffer.from(name, 'utf8').toString('latin1')
  return ['ARGS', 'ARGS_GET', 'ARGS_POST', 'ARGS_NAMES', 'ARGS_GET_NAMES', 'ARGS_POST_NAMES'].map(
    (variable) => `${variable}:${namePattern(bytes)}`,
  )
}

/** Names as rules write what they have in common. @param name a byte string, in which `*` stands for any characters */
export function namePattern(name: string): string {
  const pattern = name
    .split('*')
    .map((part) =>
      part.replace(/[^\w]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`),
    )
    .join('.*')
  return `/^${pattern}$/`
}
