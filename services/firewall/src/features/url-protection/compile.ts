import type { SnapshotUrlProtection } from '@palisade/proxy-protocol'
import { contentTypesIn } from '../../kinds/content-types.ts'
import { addedLater, isOn, number, numberIfGiven, upperCaseTexts } from '../../kinds/conversions.ts'
import { type Settings, sectionReader, whenOn } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { sectionReferenceReader } from '../../objects/reference-reader.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { whereSealed } from '../forms/compile.ts'
import { attackTypeMembers, withAttackTypes } from '../patterns/compile.ts'
import { securityPolicy } from '../security-policies/security-policy.ts'

/** How requests for URLs without a profile are checked; undefined where that is switched off. */
export const urlProtectionReader = whenOn(
  sectionReader(securityPolicy, 'url-protection', {
    isOn: ['enable', isOn],
    /** Upper case; any when empty. */
    methods: ['allowed-methods', upperCaseTexts],
    /** Lower case, without parameters; `*` stands for any characters; any type when empty. */
    contentTypes: ['allowed-content-types', contentTypesIn],
    /** Of a body without its files, in bytes; 0 for any. */
    contentBytes: ['max-content-length', number],
    /** In a request. */
    parameters: ['max-parameters', numberIfGiven],
    parameterNameCharacters: ['maximum-parameter-name-length', number],
    files: ['maximum-upload-files', number],
    /** What needs a token that other sites cannot know; absent for nothing. */
    csrf: ['csrf-prevention', addedLater(whereSealed)],
    ...attackTypeMembers,
  }),
)

/** Attack types that administrators made, beside those that `listed` names. */
export const attackTypesInUrls = sectionReferenceReader(
  securityPolicy,
  'url-protection',
  'custom-blocked-attack-types',
)

/** How a policy protects URLs without a profile; undefined where it does not. */
export function compileUrlProtection(
  policy: ConfigurationObject,
  snapshot: Snapshot,
): SnapshotUrlProtection | undefined {
  const read = urlProtectionReader.of(policy)
  if (read === undefined) return undefined
  const protection = withAttackTypes(read, attackTypesInUrls, policy, snapshot, { usesRules: true })
  return { ...protection, allowsQuery: true }
}

/** What the protection of URLs says itself. */
export type SnapshotUrlProtectionSettings = Omit<
  Settings<typeof urlProtectionReader>,
  keyof typeof attackTypeMembers
>
