import type {
  SnapshotAttackTypes,
  SnapshotParameterProfile,
  SnapshotParameterProtection,
  SnapshotProfiles,
  SnapshotUrlProfile,
} from '@palisade/proxy-protocol'
import type { Values } from '../kinds/values.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { valuesOf } from '../objects/content.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import { compilePlace, inOrder } from './compile-denials.ts'
import { compileAttackTypes, inputShapes } from './compile-patterns.ts'
import { compileUploads } from './compile-policy.ts'
import { byteString, childrenOf, isOn, kindNamedBy, numberIn, referredBy, textIn, texts } from './reading.ts'

/** What the values of a class look like that needs no definition; values of the others may be anything. */
const shapesOfClasses: Readonly<Record<string, string>> = {
  Alpha: 'Alpha',
  Alphanumeric: 'Alphanumeric',
  Email: 'Email',
  'Hex Number': 'Hex Number',
  Integer: 'Numeric',
  String: 'String',
}

const noAttackTypes: SnapshotAttackTypes = { ofRules: [], patterns: [], exceptRules: [] }

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
  const objects = childrenOf(service, 'url-profile').filter(({ content }) => content.values.status !== 'Off')
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
    contentTypes: texts(values['allowed-content-types']).map((type) => type.toLowerCase()),
    contentBytes: numberIn(values, 'max-content-length') ?? 0,
    parameterNameCharacters: numberIn(values, 'maximum-parameter-name-length') ?? 0,
    files: numberIn(values, 'maximum-upload-files') ?? 0,
    allowsQuery: values['allow-query-string'] !== 'No',
    attackTypes: compileAttackTypes(object, undefined, snapshot, { usesRules: true }),
    referrers: texts(values['referrers-for-the-url-profile']),
    parameterProfiles: childrenOf(object, 'parameter-profile')
      .filter(({ content }) => content.values.status !== 'Off')
      .map((profile) => parameterProfile(profile, protection, snapshot)),
  }
}

function parameterProfile(
  object: ConfigurationObject,
  protection: SnapshotParameterProtection | undefined,
  snapshot: Snapshot,
): SnapshotParameterProfile {
  const { values } = object.content
  const instances = numberIn(values, 'maximum-instances')
  const ofClass = classOf(object, protection, snapshot)
  const exceptions = new Set(texts(values['exception-patterns']))
  const allowed = byteString(textIn(values, 'allowed-metachars'))
  return {
    name: object.name,
    parameter: textIn(values, 'parameter'),
    isIgnored: isOn(values.ignore),
    isRequired: isOn(values.required),
    isFile: values.type === 'File Upload',
    ...(values.type === 'Global Choice' ? { values: texts(values.values) } : {}),
    shapes: ofClass.shapes,
    ...(values['parameter-class'] === 'Integer' ? { isNumber: true } : {}),
    deniedCharacters: Array.from(ofClass.deniedCharacters)
      .filter((character) => !allowed.includes(character))
      .join(''),
    valueCharacters: numberIn(values, 'max-value-length') ?? 0,
    ...(instances === undefined ? {} : { instances }),
    checksNames: isOn(values['validate-parameter-name']),
    decodesBase64: isOn(values['base64-decode-parameter-value']),
    uploads: compileUploads(values),
    attackTypes: {
      ...ofClass.attackTypes,
      patterns: ofClass.attackTypes.patterns.filter(({ name }) => !exceptions.has(name)),
      exceptRules: [
        ...ofClass.attackTypes.exceptRules,
        ...[...exceptions].filter((name) => /^\d{1,9}$/.test(name)).map(Number),
      ],
    },
  }
}

type ParameterClass = Pick<SnapshotParameterProfile, 'shapes' | 'deniedCharacters' | 'attackTypes'>

function classOf(
  object: ConfigurationObject,
  protection: SnapshotParameterProtection | undefined,
  snapshot: Snapshot,
): ParameterClass {
  const name = textIn(object.content.values, 'parameter-class')
  const member = name === 'CUSTOM' ? 'custom-parameter-class' : 'parameter-class'
  const [custom] = referredBy(object, undefined, member, snapshot)
  if (custom) return customClass(custom, snapshot)
  if (name === 'No validation') return { shapes: [], deniedCharacters: '', attackTypes: noAttackTypes }
  const kind = kindNamedBy(object.kind, 'custom-parameter-class')
  return {
    shapes: builtInShapes(
      shapesOfClasses[name],
      kind && kindNamedBy(kind, 'custom-input-type-validation'),
      snapshot,
    ),
    deniedCharacters: protection?.deniedCharacters ?? '',
    attackTypes: protection?.attackTypes ?? noAttackTypes,
  }
}

function customClass(custom: ConfigurationObject, snapshot: Snapshot): ParameterClass {
  const { values } = custom.content
  return {
    shapes: shapesOfCustomClass(custom, values, snapshot),
    deniedCharacters: byteString(textIn(values, 'denied-metacharacters')),
    attackTypes: compileAttackTypes(custom, undefined, snapshot, { usesRules: true }),
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
