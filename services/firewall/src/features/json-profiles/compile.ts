import type {
  SnapshotJsonKeyProfile,
  SnapshotJsonProfile,
  SnapshotParameterProtection,
} from '@palisade/proxy-protocol'
import { contentTypesIn } from '../../kinds/content-types.ts'
import {
  isNotOff,
  isOn,
  isPassive,
  number,
  text,
  textIfGiven,
  texts,
  upperCaseTexts,
} from '../../kinds/conversions.ts'
import { fieldReader, whenOn } from '../../kinds/field-reader.ts'
import type { Value } from '../../kinds/values.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf } from '../../objects/reading.ts'
import { referenceReader } from '../../objects/reference-reader.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import {
  classMembers,
  compileParameterClass,
  noAttackTypes,
  withoutExceptions,
} from '../parameter-classes/compile.ts'
import { noUploads } from '../parameter-protection/uploads.ts'
import { everywhere, inOrder, placeMembers } from '../places/compile.ts'
import { jsonKeyProfile } from './json-key-profile.ts'
import { jsonProfile } from './json-profile.ts'
import { jsonSecurityPolicy } from './json-security-policy.ts'

export const jsonProfileReader = whenOn(
  fieldReader(jsonProfile, {
    isOn: ['status', isNotOff],
    host: ['host-match', placeMembers.host[1]],
    url: ['url-match', placeMembers.url[1]],
    isPassive: ['mode', isPassive],
    methods: ['method', upperCaseTexts],
    contentTypes: ['allowed-content-types', contentTypesIn],
    ignoredKeys: ['ignore-keys', texts],
    checksNames: ['validate-key', isOn],
    exceptions: ['exception-patterns', texts],
  }),
)

/** The limits of a profile: one policy at most. */
export const policyOfJsonProfile = referenceReader(jsonProfile, 'json-policy')

export const jsonLimitReader = fieldReader(jsonSecurityPolicy, {
  depth: ['max-object-depth', number],
  keys: ['max-keys', number],
  siblings: ['max-siblings', number],
  arrayElements: ['max-array-elements', number],
  keyCharacters: ['max-key-length', number],
  valueCharacters: ['max-value-length', number],
})

/** A greatest number of 0 is no limit. */
export const jsonNumberReader = fieldReader([jsonSecurityPolicy, jsonKeyProfile], {
  min: ['min-number-value', textIfGiven],
  max: ['max-number-value', (value) => (value === '0' ? undefined : textIfGiven(value))],
})

export const jsonKeyReader = whenOn(
  fieldReader(jsonKeyProfile, {
    isOn: ['status', isNotOff],
    key: ['key', text],
    type: ['value-type', typeOf],
    allowsNull: ['allow-null', isNotOff],
    className: ['value-class', text],
    valueCharacters: ['max-length', number],
    keys: ['max-keys', number],
    arrayElements: ['max-array-elements', number],
    checksNames: ['validate-key', isOn],
    decodesBase64: ['base64-decode-parameter-value', isOn],
    ...classMembers,
  }),
)

/** The class of an administrator's that a profile of a key names. */
export const classOfJsonKey = referenceReader(jsonKeyProfile, 'value-class')

const types: Readonly<Record<string, SnapshotJsonKeyProfile['type']>> = {
  Array: 'array',
  Number: 'number',
  Object: 'object',
  String: 'string',
}

function typeOf(type: Value | undefined): SnapshotJsonKeyProfile['type'] {
  return types[text(type)] ?? 'any'
}

/** A JSON policy that limits nothing. */
const noPolicy = { content: { values: {}, sections: {} } }

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
  const profiles = childrenOf(service, jsonProfile.name).flatMap(
    (object) => compileJsonProfile(object, protection, snapshot) ?? [],
  )
  return profiles.length === 0 ? undefined : inOrder(profiles)
}

function compileJsonProfile(
  object: ConfigurationObject,
  protection: SnapshotParameterProtection | undefined,
  snapshot: Snapshot,
): SnapshotJsonProfile | undefined {
  const read = jsonProfileReader.of(object)
  if (read === undefined) return undefined
  const { exceptions, ...rest } = read
  const [policy = noPolicy] = policyOfJsonProfile.of(object, snapshot)
  return {
    ...everywhere,
    name: object.name,
    ...rest,
    limits: { ...jsonLimitReader.of(policy), numbers: jsonNumberReader.of(policy) },
    attackTypes: withoutExceptions(protection?.attackTypes ?? noAttackTypes, exceptions),
    keys: childrenOf(object, jsonKeyProfile.name).flatMap(
      (profile) => compileJsonKey(profile, protection, snapshot) ?? [],
    ),
  }
}

function compileJsonKey(
  object: ConfigurationObject,
  protection: SnapshotParameterProtection | undefined,
  snapshot: Snapshot,
): SnapshotJsonKeyProfile | undefined {
  const read = jsonKeyReader.of(object)
  if (read === undefined) return undefined
  const { className, allowedCharacters, exceptions, ...rest } = read
  const [own] = classOfJsonKey.of(object, snapshot)
  const chosen = { name: className, own, allowedCharacters, exceptions }
  return {
    name: object.name,
    ...rest,
    ...compileParameterClass(chosen, object, protection, snapshot),
    numbers: jsonNumberReader.of(object),
    uploads: noUploads,
  }
}
