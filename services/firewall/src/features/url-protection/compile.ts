import type { SnapshotUrlProtection } from '@palisade/proxy-protocol'
import { contentTypesIn } from '../../kinds/content-types.ts'
import { isOn, number, numberIfGiven, upperCaseTexts } from '../../kinds/conversions.ts'
import { sectionReader, whenOn } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { sectionReferenceReader } from '../../objects/reference-reader.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { attackTypeMembers, withAttackTypes } from '../patterns/compile.ts'
import { securityPolicy } from '../security-policies/security-policy.ts'

export const urlProtectionReader = whenOn(
  sectionReader(securityPolicy, 'url-protection', {
    isOn: ['enable', isOn],
    methods: ['allowed-methods', upperCaseTexts],
    contentTypes: ['allowed-content-types', contentTypesIn],
    contentBytes: ['max-content-length', number],
    parameters: ['max-parameters', numberIfGiven],
    parameterNameCharacters: ['maximum-parameter-name-length', number],
    files: ['maximum-upload-files', number],
    ...attackTypeMembers,
  }),
)

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
