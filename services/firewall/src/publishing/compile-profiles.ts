import type {
  SnapshotAttackTypes,
  SnapshotDecidedShape,
  SnapshotParameterProfile,
  SnapshotParameterProtection,
  SnapshotProfiles,
  SnapshotUrlProfile,
} from '@palisade/proxy-protocol'
import { compilePlace, inOrder } from '../features/places/compile.ts'
import type { Values } from '../kinds/values.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { valuesOf } from '../objects/content.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import { compileAttackTypes, inputShapes } from './compile-patterns.ts'
import { compileUploads } from './compile-policy.ts'
import { contentTypesIn } from './content-types.ts'
import {
  byteString,
  isOn,
  kindNamedBy,
  numberIn,
  optional,
  referredBy,
  switchedOn,
  textIn,
  texts,
} from './reading.ts'

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

/** Looks for nothing. */
export const noAttackTypes: SnapshotAttackTypes = { ofRules: [], patterns: [], exceptRules: [] }

/**
 * The profiles of a service.
 *
 * @param protection that of the policy, which the classes without definition start from
 * @returns undefined when they are not used
 */
export function compileProfiles(
  service: ConfigurationObject,
  protection: SnapshotParameterProtection | undefined,
  snapshot: Snapshot,
): SnapshotProfiles | undefined {
  const values = valuesOf(service.content, 'website-profile')
  const objects = switchedOn(service, 'url-profile')
  const isStrict = isOn(values['strict-profile-check'])
  if (!isOn(values['use-profile']) || (objects.length === 0 && !isStrict)) return undefined
  return {
    isPassive: values.mode !== 'Active',
    isStrict,
    hosts: texts(values['allowed-domains']),
    exceptUrls: texts(values['exclude-url-patterns']),
    urlsAllTheSame: texts(values['include-url-patterns']),
    urls: inOrder(objects.map((object) => urlProfile(object, protection, snapshot))),
  }
}

function urlProfile(
  object: ConfigurationObject,
  protection: SnapshotParameterProtection | undefined,
  snapshot: Snapshot,
): SnapshotUrlProfile {
  const { values } = object.content
  return {
    name: object.name,
    ...compilePlace(values),
    isPassive: values.mode !== 'Active',
    methods: texts(values['allowed-methods']).map((method) => method.toUpperCase()),
    contentTypes: contentTypesIn(values['allowed-content-types']),
    contentBytes: numberIn(values, 'max-content-length') ?? 0,
    parameterNameCharacters: numberIn(values, 'maximum-parameter-name-length') ?? 0,
    files: numberIn(values, 'maximum-upload-files') ?? 0,
    allowsQuery: values['allow-query-string'] !== 'No',
    attackTypes: compileAttackTypes(object, undefined, snapshot, { usesRules: true }),
    referrers: texts(values['referrers-for-the-url-profile']),
    parameterProfiles: switchedOn(object, 'parameter-profile').map((profile) =>
      parameterProfile(profile, protection, snapshot),
    ),
  }
}

function parameterProfile(
  object: ConfigurationObject,
  protection: SnapshotParameterProtection | undefined,
  snapshot: Snapshot,
): SnapshotParameterProfile {
  const { values } = object.content
  const instances = numberIn(values, 'maximum-instances')
  return {
    name: object.name,
    parameter: textIn(values, 'parameter'),
    isIgnored: isOn(values.ignore),
    isRequired: isOn(values.required),
    isFile: values.type === 'File Upload',
    ...(values.type === 'Global Choice' ? { values: texts(values.values) } : {}),
    ...compileParameterClass(object, parameterMembers, protection, snapshot),
    valueCharacters: numberIn(values, 'max-value-length') ?? 0,
    ...(instances === undefined ? {} : { instances }),
    checksNames: isOn(values['validate-parameter-name']),
    decodesBase64: isOn(values['base64-decode-parameter-value']),
    uploads: compileUploads(values),
  }
}

type ParameterClass = Pick<
  SnapshotParameterProfile,
  'shapes' | 'deniedCharacters' | 'attackTypes' | 'decides'
>

/** The members of an object that name a class, and one of an administrator's own. */
const parameterMembers = { known: 'parameter-class', custom: 'custom-parameter-class' }

/** What the class that an object names means for values, with the characters and but for the patterns that the object allows. */
export function compileParameterClass(
  object: ConfigurationObject,
  members: typeof parameterMembers,
  protection: SnapshotParameterProtection | undefined,
  snapshot: Snapshot,
): ParameterClass {
  const { values } = object.content
  const { deniedCharacters, attackTypes, ...others } = classOf(object, members, protection, snapshot)
  const allowed = byteString(textIn(values, 'allowed-metachars'))
  return {
    ...others,
    deniedCharacters: Array.from(deniedCharacters)
      .filter((character) => !allowed.includes(character))
      .join(''),
    attackTypes: withoutExceptions(attackTypes, texts(values['exception-patterns'])),
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
    exceptRules: [...types.exceptRules, ...exceptions.filter((name) => /^\d{1,9}$/.test(name)).map(Number)],
  }
}

function classOf(
  object: ConfigurationObject,
  members: typeof parameterMembers,
  protection: SnapshotParameterProtection | undefined,
  snapshot: Snapshot,
): ParameterClass {
  const name = textIn(object.content.values, members.known)
  const member = name === 'CUSTOM' ? members.custom : members.known
  const [custom] = referredBy(object, undefined, member, snapshot)
  if (custom) return customClass(custom, snapshot)
  if (name === 'No validation') return { shapes: [], deniedCharacters: '', attackTypes: noAttackTypes }
  const kind = kindNamedBy(object.kind, members.custom)
  return {
    shapes: builtInShapes(
      shapesOfClasses[name],
      kind && kindNamedBy(kind, 'custom-input-type-validation'),
      snapshot,
    ),
    deniedCharacters: protection?.deniedCharacters ?? '',
    attackTypes: protection?.attackTypes ?? noAttackTypes,
    ...optional('decides', decidedByClass[name]),
  }
}

function customClass(custom: ConfigurationObject, snapshot: Snapshot): ParameterClass {
  const { values } = custom.content
  return {
    shapes: shapesOfCustomClass(custom, values, snapshot),
    deniedCharacters: byteString(textIn(values, 'denied-metacharacters')),
    attackTypes: compileAttackTypes(custom, undefined, snapshot, { usesRules: true }),
    ...optional('decides', decidedByInputType[textIn(values, 'input-type-validation')]),
  }
}

function shapesOfCustomClass(
  custom: ConfigurationObject,
  values: Values,
  snapshot: Snapshot,
): readonly string[] {
  const name = textIn(values, 'input-type-validation')
  const member = 'custom-input-type-validation'
  if (name === 'CUSTOM') return referredBy(custom, undefined, member, snapshot).flatMap(inputShapes)
  return builtInShapes(name, kindNamedBy(custom.kind, member), snapshot)
}

function builtInShapes(
  type: string | undefined,
  kind: ConfigurationObject['kind'] | undefined,
  snapshot: Snapshot,
): readonly string[] {
  const found = type === undefined ? undefined : kind && snapshot.object(kind, [type])
  return found ? inputShapes(found) : []
}
