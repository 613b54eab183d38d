import type {
  SnapshotParameterProfile,
  SnapshotParameterProtection,
  SnapshotProfiles,
  SnapshotUrlProfile,
} from '@palisade/proxy-protocol'
import { contentTypesIn } from '../../kinds/content-types.ts'
import {
  addedLater,
  byName,
  isNotOff,
  isOn,
  isPassive,
  number,
  numberIfGiven,
  text,
  texts,
  upperCaseTexts,
} from '../../kinds/conversions.ts'
import { fieldReader, type Settings, sectionReader, whenOn } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf } from '../../objects/reading.ts'
import { referenceReader } from '../../objects/reference-reader.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { whereSealed } from '../forms/compile.ts'
import { classMembers, compileParameterClass } from '../parameter-classes/compile.ts'
import type { SnapshotValueSettings } from '../parameter-protection/compile.ts'
import { compileUploads, uploadMembers } from '../parameter-protection/uploads.ts'
import { attackTypeMembers, withAttackTypes } from '../patterns/compile.ts'
import { everywhere, inOrder, placeMembers } from '../places/compile.ts'
import { service } from '../services/service.ts'
import type { SnapshotUrlProtectionSettings } from '../url-protection/compile.ts'
import { parameterProfile } from './parameter-profile.ts'
import { urlProfile } from './url-profile.ts'

/** Whether and where the profiles of a site count; undefined where they are not used. */
export const websiteProfileReader = whenOn(
  sectionReader(service, 'website-profile', {
    isOn: ['use-profile', isOn],
    isPassive: ['mode', isPassive],
    /** Whether requests are violations for which there is no profile. */
    isStrict: ['strict-profile-check', isOn],
    /** Hosts, in which `*` stands for any characters; any when empty. */
    hosts: ['allowed-domains', texts],
    /** URLs that profiles are not for, and those that they are for all the same; `*` stands for any characters. */
    exceptUrls: ['exclude-url-patterns', texts],
    urlsAllTheSame: ['include-url-patterns', texts],
  }),
)

/** What requests for one URL may be; undefined where its profile is switched off. */
export const urlProfileReader = whenOn(
  fieldReader(urlProfile, {
    isOn: ['status', isNotOff],
    url: placeMembers.url,
    extendedMatch: placeMembers.extendedMatch,
    sequence: placeMembers.sequence,
    isPassive: ['mode', isPassive],
    methods: ['allowed-methods', upperCaseTexts],
    contentTypes: ['allowed-content-types', contentTypesIn],
    contentBytes: ['max-content-length', number],
    parameterNameCharacters: ['maximum-parameter-name-length', number],
    files: ['maximum-upload-files', number],
    allowsQuery: ['allow-query-string', isNotOff],
    csrf: ['csrf-prevention', addedLater(whereSealed)],
    /** Where hidden fields are sealed, which have to come back as they were; absent for nowhere. */
    hidden: ['hidden-parameter-protection', addedLater(whereSealed)],
    /** Who sends a form sooner is taken for a program, where these are kept from forms. */
    fillSeconds: ['minimum-form-fill-time', addedLater(number)],
    /** Pages from which the URL may be reached; any when empty. `*` stands for any characters. */
    referrers: ['referrers-for-the-url-profile', texts],
    ...attackTypeMembers,
  }),
)

/** Attack types that administrators made, beside those that `listed` names. */
export const attackTypesOfUrlProfile = referenceReader(urlProfile, 'custom-blocked-attack-types')

const sealedAs = byName<'read-only' | 'session-choice' | 'session-invariant' | undefined>(
  { 'Read Only': 'read-only', 'Session Choice': 'session-choice', 'Session Invariant': 'session-invariant' },
  undefined,
)

/** What the values of one parameter may be; undefined where its profile is switched off. */
export const parameterProfileReader = whenOn(
  fieldReader(parameterProfile, {
    isOn: ['status', isNotOff],
    /** The name of the parameter; `*` stands for any characters. */
    parameter: ['parameter', text],
    isIgnored: ['ignore', isOn],
    isRequired: ['required', isOn],
    type: ['type', text],
    /** Whether the value has to be one that a page has offered, and what it is called if it is not; absent where it may be any. */
    seals: ['type', addedLater(sealedAs)],
    values: ['values', texts],
    className: ['parameter-class', text],
    valueCharacters: ['max-value-length', number],
    instances: ['maximum-instances', numberIfGiven],
    checksNames: ['validate-parameter-name', isOn],
    decodesBase64: ['base64-decode-parameter-value', isOn],
    ...classMembers,
  }),
)

/** Which uploaded files a parameter takes. */
export const uploadsOfParameterProfile = fieldReader(parameterProfile, uploadMembers)

/** The class of an administrator's that a profile names as its class. */
export const classOfParameterProfile = referenceReader(parameterProfile, 'parameter-class')

/** The class of a profile whose class is CUSTOM. */
export const customClassOfParameterProfile = referenceReader(parameterProfile, 'custom-parameter-class')

/**
 * The profiles of a service.
 *
 * @param protection that of the policy, which the classes without definition start from
 * @returns undefined when they are not used
 */
export function compileProfiles(
  object: ConfigurationObject,
  protection: SnapshotParameterProtection | undefined,
  snapshot: Snapshot,
): SnapshotProfiles | undefined {
  const read = websiteProfileReader.of(object)
  if (read === undefined) return undefined
  const urls = childrenOf(object, urlProfile.name).flatMap(
    (profile) => compileUrlProfile(profile, protection, snapshot) ?? [],
  )
  return urls.length === 0 && !read.isStrict ? undefined : { ...read, urls: inOrder(urls) }
}

function compileUrlProfile(
  object: ConfigurationObject,
  protection: SnapshotParameterProtection | undefined,
  snapshot: Snapshot,
): SnapshotUrlProfile | undefined {
  const read = urlProfileReader.of(object)
  if (read === undefined) return undefined
  return {
    ...everywhere,
    name: object.name,
    ...withAttackTypes(read, attackTypesOfUrlProfile, object, snapshot, { usesRules: true }),
    parameterProfiles: childrenOf(object, parameterProfile.name).flatMap(
      (profile) => compileParameterProfile(profile, protection, snapshot) ?? [],
    ),
  }
}

function compileParameterProfile(
  object: ConfigurationObject,
  protection: SnapshotParameterProtection | undefined,
  snapshot: Snapshot,
): SnapshotParameterProfile | undefined {
  const read = parameterProfileReader.of(object)
  if (read === undefined) return undefined
  const { type, values, className, allowedCharacters, exceptions, ...rest } = read
  const reference = className === 'CUSTOM' ? customClassOfParameterProfile : classOfParameterProfile
  const [own] = reference.of(object, snapshot)
  const valueClass = { name: className, own, allowedCharacters, exceptions }
  return {
    name: object.name,
    ...rest,
    isFile: type === 'File Upload',
    ...(type === 'Global Choice' ? { values } : {}),
    ...compileParameterClass(valueClass, object, protection, snapshot),
    uploads: compileUploads(uploadsOfParameterProfile.of(object)),
  }
}

/** The URL profiles that ask for forms to be sealed, or that restrict parameters to what pages offer, while profiles are not used: names. */
export function unusedFormProfiles(object: ConfigurationObject): string[] {
  if (websiteProfileReader.of(object) !== undefined) return []
  return childrenOf(object, urlProfile.name)
    .filter((profile) => {
      const { csrf, hidden } = urlProfileReader.of(profile) ?? {}
      const parameters = childrenOf(profile, parameterProfile.name)
      return csrf ?? hidden ?? parameters.some((one) => parameterProfileReader.of(one)?.seals !== undefined)
    })
    .map(({ name }) => name)
}

/** Where the profiles of a site count. */
export type SnapshotWebsiteProfile = Settings<typeof websiteProfileReader>

/** What a URL profile says itself, beside what every protection of URLs does. */
export type SnapshotUrlProfileSettings = Omit<
  Settings<typeof urlProfileReader>,
  | keyof typeof placeMembers
  | keyof typeof attackTypeMembers
  | keyof SnapshotUrlProtectionSettings
  | 'allowsQuery'
>

/** What a parameter profile says itself, beside what every check of values does. */
export type SnapshotParameterProfileSettings = Omit<
  Settings<typeof parameterProfileReader>,
  keyof SnapshotValueSettings | keyof typeof classMembers | 'className' | 'type' | 'values'
>
