import type {
  SnapshotAttackTypes,
  SnapshotDecidedShape,
  SnapshotInputChecks,
  SnapshotParameterProfile,
  SnapshotParameterProtection,
} from '@palisade/proxy-protocol'
import { percentDecodedBytes, text } from '../../kinds/conversions.ts'
import { fieldReader } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { kindNamedBy } from '../../objects/reading.ts'
import { referenceReader } from '../../objects/reference-reader.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { attackTypeMembers, compileAttackTypes, inputPatternsOf, rulesIn } from '../patterns/compile.ts'
import { customParameterClass } from './custom-parameter-class.ts'

/** What the values of a class look like that needs no definition; values of the others may be anything. */
const shapesOfClasses: Readonly<Record<string, string>> = {
  Alpha: 'Alpha',
  Alphanumeric: 'Alphanumeric',
  Email: 'Email',
  'Hex Number': 'Hex Number',
  Integer: 'Numeric',
  String: 'String',
}

/** What a text may be that is no attack. */
const ofTexts: readonly SnapshotDecidedShape[] = [
  'number',
  'numbers',
  'hex',
  'uuid',
  'date',
  'email',
  'code',
  'token',
]

/** Values of which form are decided about by a class; longer numbers and the like are for the rules all the same. */
const decidedByClass: Readonly<Record<string, readonly SnapshotDecidedShape[]>> = {
  Alphanumeric: ['number', 'hex', 'code'],
  Email: ['email'],
  Generic: ofTexts,
  'Hex Number': ['number', 'hex'],
  Integer: ['number'],
  String: ofTexts,
}

/** The same for the input types of classes that administrators define. */
const decidedByInputType: Readonly<Record<string, readonly SnapshotDecidedShape[]>> = {
  Alphanumeric: ['number', 'hex', 'code'],
  Date: ['date'],
  Email: ['email'],
  'Hex Number': ['number', 'hex'],
  Numeric: ['number'],
}

/** What values of a class that an administrator made may be; `deniedCharacters` is a byte string. */
export const customClassReader = fieldReader(customParameterClass, {
  listed: attackTypeMembers.listed,
  deniedCharacters: ['denied-metacharacters', percentDecodedBytes],
  inputType: ['input-type-validation', text],
})

/** Attack types that administrators made, beside those that `listed` names. */
export const attackTypesOfClass = referenceReader(customParameterClass, 'custom-blocked-attack-types')

/** The input type of an administrator's; counts where `inputType` is CUSTOM. */
export const inputTypeOfClass = referenceReader(customParameterClass, 'custom-input-type-validation')

/** The members by which profiles of values loosen the class that they name. */
export const classMembers = {
  allowedCharacters: ['allowed-metachars', percentDecodedBytes],
  exceptions: attackTypeMembers.exceptions,
} as const

/** What a profile of values says of their class. */
interface ChosenClass {
  readonly name: string
  /** The class of an administrator's that is named. */
  readonly own: ConfigurationObject | undefined
  readonly allowedCharacters: string
  /** Names of patterns, and numbers of rules. */
  readonly exceptions: readonly string[]
}

type ParameterClass = SnapshotInputChecks &
  Pick<SnapshotParameterProfile, 'deniedCharacters' | 'attackTypes' | 'decides'>

/** Looks for nothing. */
export const noAttackTypes: SnapshotAttackTypes = { ofRules: [], patterns: [], exceptRules: [] }

/**
 * What a class means for values, with the characters and but for the patterns that a profile allows.
 *
 * @param by the profile, whose kind names classes
 * @param protection that of the policy, which classes without definition start from
 */
export function compileParameterClass(
  chosen: ChosenClass,
  by: ConfigurationObject,
  protection: SnapshotParameterProtection | undefined,
  snapshot: Snapshot,
): ParameterClass {
  const { deniedCharacters, attackTypes, ...others } = chosen.own
    ? customClass(chosen.own, snapshot)
    : classNamed(chosen.name, by, protection, snapshot)
  return {
    ...others,
    deniedCharacters: Array.from(deniedCharacters)
      .filter((character) => !chosen.allowedCharacters.includes(character))
      .join(''),
    attackTypes: withoutExceptions(attackTypes, chosen.exceptions),
  }
}

/** @param exceptions names of patterns, and numbers of rules */
export function withoutExceptions(
  types: SnapshotAttackTypes,
  exceptions: readonly string[],
): SnapshotAttackTypes {
  return {
    ...types,
    patterns: types.patterns.filter(({ name }) => !exceptions.includes(name)),
    exceptRules: [...types.exceptRules, ...rulesIn(exceptions)],
  }
}

function classNamed(
  name: string,
  by: ConfigurationObject,
  protection: SnapshotParameterProtection | undefined,
  snapshot: Snapshot,
): ParameterClass {
  if (name === 'No validation') return { shapes: [], deniedCharacters: '', attackTypes: noAttackTypes }
  const classes = by.kind.references
    .flatMap(({ targets }) => targets)
    .find((kind) => kind.name === customParameterClass.name)
  const decides = decidedByClass[name]
  return {
    ...inputPatternsOf(inputTypeNamed(shapesOfClasses[name], classes, snapshot)),
    deniedCharacters: protection?.deniedCharacters ?? '',
    attackTypes: protection?.attackTypes ?? noAttackTypes,
    ...(decides ? { decides } : {}),
  }
}

function customClass(custom: ConfigurationObject, snapshot: Snapshot): ParameterClass {
  const { listed, deniedCharacters, inputType } = customClassReader.of(custom)
  const types = { listed, own: attackTypesOfClass.of(custom, snapshot), exceptions: [] }
  const decides = decidedByInputType[inputType]
  return {
    ...inputPatternsOf(
      inputType === 'CUSTOM'
        ? inputTypeOfClass.of(custom, snapshot)
        : inputTypeNamed(inputType, custom.kind, snapshot),
    ),
    deniedCharacters,
    attackTypes: compileAttackTypes(types, custom, snapshot, { usesRules: true }),
    ...(decides ? { decides } : {}),
  }
}

/**
 * An input type of the factory; none for values that may be anything.
 *
 * @param classes the kind of parameter classes, which names input types
 */
function inputTypeNamed(
  inputType: string | undefined,
  classes: ConfigurationObject['kind'] | undefined,
  snapshot: Snapshot,
): readonly ConfigurationObject[] {
  const kind = classes && kindNamedBy(classes, 'custom-input-type-validation')
  const type = inputType === undefined ? undefined : kind && snapshot.object(kind, [inputType])
  return type ? [type] : []
}
