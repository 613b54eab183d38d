import type {
  SnapshotJsonKeyProfile,
  SnapshotJsonProfile,
  SnapshotParameterProtection,
} from '@palisade/proxy-protocol'
import { contentTypesIn } from '../../kinds/content-types.ts'
import {
  byName,
  isNotOff,
  isOn,
  isPassive,
  number,
  text,
  textIfGiven,
  texts,
  upperCaseTexts,
} from '../../kinds/conversions.ts'
import { fieldReader, type Settings, whenOn } from '../../kinds/field-reader.ts'
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

/** Which requests carry JSON, and what of it is checked; undefined where the profile is switched off. */
export const jsonProfileReader = whenOn(
  fieldReader(jsonProfile, {
    isOn: ['status', isNotOff],
    host: ['host-match', placeMembers.host[1]],
    url: ['url-match', placeMembers.url[1]],
    isPassive: ['mode', isPassive],
    /** In upper case; any when empty. */
    methods: ['method', upperCaseTexts],
    /** Bodies of these types are JSON, in lower case; `application/json` and what ends in `+json` when empty. */
    contentTypes: ['allowed-content-types', contentTypesIn],
    /** Keys whose values are not checked, as `SnapshotJsonKeyProfile.key`. */
    ignoredKeys: ['ignore-keys', texts],
    /** Whether attacks are also looked for in the names of keys. */
    checksNames: ['validate-key', isOn],
    exceptions: ['exception-patterns', texts],
  }),
)

/** The limits of a profile: one policy at most. */
export const policyOfJsonProfile = referenceReader(jsonProfile, 'json-policy')

/** The greatest numbers that a JSON document may have; lengths in characters. */
export const jsonLimitReader = fieldReader(jsonSecurityPolicy, {
  /** How many objects and arrays may be open at once. */
  depth: ['max-object-depth', number],
  /** In the whole document. */
  keys: ['max-keys', number],
  /** In one object. */
  siblings: ['max-siblings', number],
  arrayElements: ['max-array-elements', number],
  /** Of the name of a key, and of a string. */
  keyCharacters: ['max-key-length', number],
  valueCharacters: ['max-value-length', number],
})

/** A greatest number of 0 is no limit. */
export const jsonNumberReader = fieldReader([jsonSecurityPolicy, jsonKeyProfile], {
  min: ['min-number-value', textIfGiven],
  max: ['max-number-value', (value) => (value === '0' ? undefined : textIfGiven(value))],
})

/** What the values of one key may be; undefined where its profile is switched off. */
export const jsonKeyReader = whenOn(
  fieldReader(jsonKeyProfile, {
    isOn: ['status', isNotOff],
    /** A path of names with dots between them, in which `*` stands for any characters; a single name is meant anywhere. */
    key: ['key', text],
    type: [
      'value-type',
      byName({ Array: 'array', Number: 'number', Object: 'object', String: 'string' }, 'any'),
    ],
    allowsNull: ['allow-null', isNotOff],
    className: ['value-class', text],
    valueCharacters: ['max-length', number],
    /** In an object that is the value, and elements of an array that is. */
    keys: ['max-keys', number],
    arrayElements: ['max-array-elements', number],
    checksNames: ['validate-key', isOn],
    decodesBase64: ['base64-decode-parameter-value', isOn],
    ...classMembers,
  }),
)

/** The class of an administrator's that a profile of a key names. */
export const classOfJsonKey = referenceReader(jsonKeyProfile, 'value-class')

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
  const valueClass = { name: className, own, allowedCharacters, exceptions }
  return {
    name: object.name,
    ...rest,
    ...compileParameterClass(valueClass, object, protection, snapshot),
    numbers: jsonNumberReader.of(object),
    uploads: noUploads,
  }
}

/** How large a JSON document may be; 0 for any size. */
export type SnapshotJsonSizes = Settings<typeof jsonLimitReader>

/** Whole numbers in decimal digits, with a "-" before negative ones; absent for no limit. */
export type SnapshotNumberRange = Settings<typeof jsonNumberReader>

/** What a JSON profile says itself. */
export type SnapshotJsonProfileSettings = Omit<
  Settings<typeof jsonProfileReader>,
  keyof typeof placeMembers | 'exceptions'
>

/** What the profile of a JSON key says itself. */
export type SnapshotJsonKeySettings = Omit<
  Settings<typeof jsonKeyReader>,
  'className' | keyof typeof classMembers
>
