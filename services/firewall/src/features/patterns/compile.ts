import {
  problemOfExpression,
  type SnapshotAttackTypes,
  type SnapshotInputChecks,
  type SnapshotPattern,
} from '@palisade/proxy-protocol'
import { byName, isNotOff, isOn, text, texts } from '../../kinds/conversions.ts'
import { type FieldReader, fieldReader, type Settings, whenOn } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf, kindNamedBy } from '../../objects/reading.ts'
import type { ReferenceReader } from '../../objects/reference-reader.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { attackTypePattern } from './attack-type-pattern.ts'
import { identityTheftPattern } from './identity-theft-pattern.ts'
import { inputTypePattern } from './input-type-pattern.ts'
import { refererSpamPattern } from './referer-spam-pattern.ts'

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

const checkDigits = byName(
  {
    'Credit Card Check Digit': 'credit-card',
    'Czech National Identity Card Number Check Digit': 'czech',
    'Hungarian Identity Card Number Check Digit': 'hungarian',
    'Korean Resident Registration Number Check Digit': 'korean',
    'Poland National Identification Number Check Digit': 'polish',
  },
  undefined,
)

const searchedFor = {
  /** A regular expression of JavaScript. */
  regex: ['regex', text],
  isCaseSensitive: ['case-sensitive', isOn],
  /** Which check digits have to be right. */
  checkDigits: ['algorithm', checkDigits],
} as const

/** A pattern of attacks or of planted links; undefined where its mode is Off. */
export const attackPatternReader = whenOn(
  fieldReader([attackTypePattern, refererSpamPattern], {
    isOn: ['mode', isNotOff],
    isPassive: ['mode', (value) => value === 'Passive'],
    ...searchedFor,
  }),
)

/** A pattern of data that answers must not have; undefined where it is switched off. */
export const identityPatternReader = whenOn(
  fieldReader(identityTheftPattern, { isOn: ['status', isNotOff], ...searchedFor }),
)

/** A pattern that values have to fit; undefined where it is switched off. */
export const inputPatternReader = whenOn(
  fieldReader(inputTypePattern, { isOn: ['status', isNotOff], ...searchedFor }),
)

const patternReaders: readonly FieldReader<{ readonly regex: string } | undefined>[] = [
  attackPatternReader,
  identityPatternReader,
  inputPatternReader,
]

/** The expression of a pattern that is switched on; undefined for every other object. */
export function expressionOf(object: ConfigurationObject): string | undefined {
  return patternReaders.find(({ kinds }) => kinds.includes(object.kind.name))?.of(object)?.regex
}

/** The members by which kinds and sections say what is looked for. */
export const attackTypeMembers = {
  /** Types that the firewall ships with. */
  listed: ['blocked-attack-types', texts],
  /** Names of patterns, and numbers of rules. */
  exceptions: ['exception-patterns', texts],
} as const

/** What is looked for: types that are listed, types that administrators made, and what of all that is left out. */
interface AttackTypes {
  readonly listed: readonly string[]
  readonly own: readonly ConfigurationObject[]
  readonly exceptions: readonly string[]
}

/**
 * What an object says is looked for.
 *
 * @param by the object, whose kind names attack types
 * @param usesRules whether the rule set stands in for the patterns that the firewall ships with; then only those patterns of
 *   such types are looked for that an administrator added or changed
 */
export function compileAttackTypes(
  { listed, own, exceptions }: AttackTypes,
  by: ConfigurationObject,
  snapshot: Snapshot,
  { usesRules }: { readonly usesRules: boolean },
): SnapshotAttackTypes {
  const types = [...listed.flatMap((name) => attackTypeNamed(name, by, snapshot) ?? []), ...own]
  return {
    ofRules: usesRules ? listed.filter((type) => typesOfRules.has(type)) : [],
    patterns: types
      .flatMap((type) => patternsIn(type, usesRules && typesOfRules.has(type.name)))
      .filter(({ name }) => !exceptions.includes(name)),
    exceptRules: rulesIn([...new Set(exceptions)]),
  }
}

/**
 * What was read of an object, with what is looked for in the place of the members by which it says so.
 *
 * @param own of the types that administrators made, those that the object names
 */
export function withAttackTypes<Read extends Pick<AttackTypes, 'listed' | 'exceptions'>>(
  read: Read,
  own: ReferenceReader,
  object: ConfigurationObject,
  snapshot: Snapshot,
  options: { readonly usesRules: boolean },
): Omit<Read, 'listed' | 'exceptions'> & { readonly attackTypes: SnapshotAttackTypes } {
  const { listed, exceptions, ...rest } = read
  const types = { listed, own: own.of(object, snapshot), exceptions }
  return { ...rest, attackTypes: compileAttackTypes(types, object, snapshot, options) }
}

/** An attack type by its name. @param by an object whose kind names attack types */
export function attackTypeNamed(
  name: string,
  by: ConfigurationObject,
  snapshot: Snapshot,
): ConfigurationObject | undefined {
  const kind = kindNamedBy(by.kind, 'custom-blocked-attack-types')
  return kind && snapshot.object(kind, [name])
}

/** The numbers of rules among exceptions. */
export function rulesIn(exceptions: readonly string[]): number[] {
  return exceptions.filter((name) => /^\d{1,9}$/.test(name)).map(Number)
}

function patternsIn(type: ConfigurationObject, onlyOwn: boolean): SnapshotPattern[] {
  return childrenOf(type, attackTypePattern.name)
    .filter(({ version }) => !onlyOwn || version > 0)
    .flatMap((object) => compilePattern(object, attackPatternReader, type) ?? [])
}

/** The patterns of a type of data that answers must not give away. */
export function identityPatterns(type: ConfigurationObject): SnapshotPattern[] {
  return childrenOf(type, identityTheftPattern.name).flatMap(
    (object) => compilePattern(object, identityPatternReader, type) ?? [],
  )
}

/** The patterns of a type of planted links. */
export function spamPatterns(type: ConfigurationObject): SnapshotPattern[] {
  return childrenOf(type, refererSpamPattern.name).flatMap(
    (object) => compilePattern(object, attackPatternReader, type) ?? [],
  )
}

/** The patterns of which a value of one of the types has to fit one as a whole; without any it may be anything. */
export function inputPatternsOf(types: readonly ConfigurationObject[]): SnapshotInputChecks {
  const inputPatterns = types
    .flatMap((type) => childrenOf(type, inputTypePattern.name))
    .flatMap((object) => inputPatternReader.of(object) ?? [])
    .filter(({ regex }) => problemOfExpression(regex) === undefined)
  return { shapes: inputPatterns.map(({ regex }) => regex), inputPatterns }
}

/** Undefined for one that is switched off, or cannot be run in bounded time. */
function compilePattern(
  object: ConfigurationObject,
  reader: typeof attackPatternReader | typeof identityPatternReader,
  type: ConfigurationObject,
): SnapshotPattern | undefined {
  const read = reader.of(object)
  if (read === undefined || problemOfExpression(read.regex) !== undefined) return undefined
  return { name: object.name, type: type.name, isPassive: false, ...read }
}

/** What a text has to be like to fit a pattern. */
export type SnapshotInputPattern = Settings<typeof inputPatternReader>

/** The sort of number whose check digits a match has to have right, so that other numbers are passed over. */
export type SnapshotCheckDigits = NonNullable<SnapshotInputPattern['checkDigits']>
