import {
  problemOfExpression,
  type SnapshotAttackTypes,
  type SnapshotCheckDigits,
  type SnapshotPattern,
} from '@palisade/proxy-protocol'
import type { Values } from '../kinds/values.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { valuesOf } from '../objects/content.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import { childrenOf, kindNamedBy, referredBy, textIn, texts } from './reading.ts'

/** Attack types whose factory patterns the rule set stands in for, where it inspects. */
const typesOfRules: ReadonlySet<string> = new Set([
  'Apache Struts attacks',
  'Cross-Site Scripting',
  'HTTP Specific Injection',
  'LDAP Injection',
  'OS Command Injection',
  'Python-PHP attacks',
  'SQL Injection',
])

const checkDigits: Readonly<Record<string, SnapshotCheckDigits>> = {
  'Credit Card Check Digit': 'credit-card',
  'Czech National Identity Card Number Check Digit': 'czech',
  'Hungarian Identity Card Number Check Digit': 'hungarian',
  'Korean Resident Registration Number Check Digit': 'korean',
  'Poland National Identification Number Check Digit': 'polish',
}

/**
 * What is looked for: the members `blocked-attack-types`, `custom-blocked-attack-types` and `exception-patterns` of an object or
 * a section. An exception is the name of a pattern, or the number of a rule.
 *
 * @param usesRules whether the rule set stands in for the patterns that the firewall ships with; then only those patterns of
 *   such types are looked for that an administrator added or changed
 */
export function compileAttackTypes(
  object: ConfigurationObject,
  section: string | undefined,
  snapshot: Snapshot,
  { usesRules }: { readonly usesRules: boolean },
): SnapshotAttackTypes {
  const values = valuesOf(object.content, section)
  const listed = texts(values['blocked-attack-types'])
  const kind = kindNamedBy(object.kind, 'custom-blocked-attack-types')
  const exceptions = new Set(texts(values['exception-patterns']))
  const types = [
    ...listed.flatMap((name) => (kind && snapshot.object(kind, [name])) ?? []),
    ...referredBy(object, section, 'custom-blocked-attack-types', snapshot),
  ]
  return {
    ofRules: usesRules ? listed.filter((type) => typesOfRules.has(type)) : [],
    patterns: types
      .flatMap((type) => patternsIn(type, usesRules && typesOfRules.has(type.name)))
      .filter(({ name }) => !exceptions.has(name)),
    exceptRules: [...exceptions].filter((name) => /^\d{1,9}$/.test(name)).map(Number),
  }
}

function patternsIn(type: ConfigurationObject, onlyOwn: boolean): SnapshotPattern[] {
  return childrenOf(type, 'attack-type-pattern')
    .filter(({ version }) => !onlyOwn || version > 0)
    .flatMap((pattern) => compilePattern(pattern, type.name) ?? [])
}

/** The patterns of a type of data that answers must not give away. */
export function identityPatterns(type: ConfigurationObject): SnapshotPattern[] {
  return childrenOf(type, 'identity-theft-pattern').flatMap(
    (pattern) => compilePattern(pattern, type.name) ?? [],
  )
}

/** The patterns of a type of planted links. */
export function spamPatterns(type: ConfigurationObject): SnapshotPattern[] {
  return childrenOf(type, 'referer-spam-pattern').flatMap(
    (pattern) => compilePattern(pattern, type.name) ?? [],
  )
}

/** The expressions of which a value of the type has to match one as a whole. */
export function inputShapes(type: ConfigurationObject): string[] {
  return childrenOf(type, 'input-type-pattern').flatMap((pattern) => {
    const compiled = compilePattern(pattern, type.name)
    return compiled ? [compiled.regex] : []
  })
}

/** Undefined for one that is switched off, or cannot be run in bounded time. */
function compilePattern(
  { name, content: { values } }: ConfigurationObject,
  type: string,
): SnapshotPattern | undefined {
  const regex = textIn(values, 'regex')
  if (isSwitchedOff(values) || problemOfExpression(regex) !== undefined) return undefined
  const digits = checkDigits[textIn(values, 'algorithm')]
  return {
    name,
    type,
    regex,
    isCaseSensitive: values['case-sensitive'] === 'Yes',
    ...(digits ? { checkDigits: digits } : {}),
    isPassive: values.mode === 'Passive',
  }
}

/** @param values of a pattern */
export function isSwitchedOff({ mode, status }: Values): boolean {
  return mode === 'Off' || status === 'Off'
}
