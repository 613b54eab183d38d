import type {
  SnapshotJsonKeyProfile,
  SnapshotJsonLimits,
  SnapshotJsonProfile,
  SnapshotNumberRange,
  SnapshotParameterProtection,
} from '@palisade/proxy-protocol'
import { inOrder } from '../features/places/compile.ts'
import type { Values } from '../kinds/values.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import { compileUploads } from './compile-policy.ts'
import { compileParameterClass, noAttackTypes, withoutExceptions } from './compile-profiles.ts'
import { contentTypesIn } from './content-types.ts'
import { isOn, numberIn, optional, referredBy, switchedOn, textIn, texts } from './reading.ts'

const classMembers = { known: 'value-class', custom: 'value-class' }

const types: Readonly<Record<string, SnapshotJsonKeyProfile['type']>> = {
  Array: 'array',
  Number: 'number',
  Object: 'object',
  String: 'string',
}

/**
 * The JSON profiles of a service that are switched on.
 *
 * @param protection that of the service's policy, which classes without definition start from
 * @returns undefined when there are none
 */
export function compileJsonProfiles(
  service: ConfigurationObject,
  protection: SnapshotParameterProtection | undefined,
  snapshot: Snapshot,
): readonly SnapshotJsonProfile[] | undefined {
  const profiles = switchedOn(service, 'json-profile').map((profile) =>
    jsonProfile(profile, protection, snapshot),
  )
  return profiles.length === 0 ? undefined : inOrder(profiles)
}

function jsonProfile(
  object: ConfigurationObject,
  protection: SnapshotParameterProtection | undefined,
  snapshot: Snapshot,
): SnapshotJsonProfile {
  const { values } = object.content
  const [policy] = referredBy(object, undefined, 'json-policy', snapshot)
  return {
    name: object.name,
    host: textIn(values, 'host-match') || '*',
    url: textIn(values, 'url-match') || '/*',
    extendedMatch: '*',
    sequence: 0,
    isPassive: values.mode !== 'Active',
    methods: texts(values.method).map((method) => method.toUpperCase()),
    contentTypes: contentTypesIn(values['allowed-content-types']),
    limits: limits(policy?.content.values ?? {}),
    ignoredKeys: texts(values['ignore-keys']),
    checksNames: isOn(values['validate-key']),
    attackTypes: withoutExceptions(
      protection?.attackTypes ?? noAttackTypes,
      texts(values['exception-patterns']),
    ),
    keys: switchedOn(object, 'json-key-profile').map((profile) => keyProfile(profile, protection, snapshot)),
  }
}

/** @param values of a JSON security policy */
function limits(values: Values): SnapshotJsonLimits {
  const limit = (member: string) => numberIn(values, member) ?? 0
  return {
    depth: limit('max-object-depth'),
    keys: limit('max-keys'),
    siblings: limit('max-siblings'),
    arrayElements: limit('max-array-elements'),
    keyCharacters: limit('max-key-length'),
    valueCharacters: limit('max-value-length'),
    numbers: numbers(values),
  }
}

function keyProfile(
  object: ConfigurationObject,
  protection: SnapshotParameterProtection | undefined,
  snapshot: Snapshot,
): SnapshotJsonKeyProfile {
  const { values } = object.content
  return {
    name: object.name,
    key: textIn(values, 'key'),
    type: types[textIn(values, 'value-type')] ?? 'any',
    allowsNull: values['allow-null'] !== 'No',
    ...compileParameterClass(object, classMembers, protection, snapshot),
    valueCharacters: numberIn(values, 'max-length') ?? 0,
    keys: numberIn(values, 'max-keys') ?? 0,
    arrayElements: numberIn(values, 'max-array-elements') ?? 0,
    numbers: numbers(values),
    checksNames: isOn(values['validate-key']),
    decodesBase64: isOn(values['base64-decode-parameter-value']),
    uploads: compileUploads(values),
  }
}

/** A greatest number of 0 is no limit. */
function numbers(values: Values): SnapshotNumberRange {
  const [min, max] = [textIn(values, 'min-number-value'), textIn(values, 'max-number-value')]
  return {
    ...optional('min', min === '' ? undefined : min),
    ...optional('max', max === '' || max === '0' ? undefined : max),
  }
}
