import type { SnapshotParameterProtection } from '@palisade/proxy-protocol'
import {
  bytesOfKilobytes,
  ifGiven,
  isOn,
  number,
  numberIfGiven,
  percentDecodedBytes,
  texts,
} from '../../kinds/conversions.ts'
import { sectionReader, whenOn } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { sectionReferenceReader } from '../../objects/reference-reader.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { attackTypeMembers, withAttackTypes } from '../patterns/compile.ts'
import { securityPolicy } from '../security-policies/security-policy.ts'
import { compileUploads, uploadMembers } from './uploads.ts'

export const parameterProtectionReader = whenOn(
  sectionReader(securityPolicy, 'parameter-protection', {
    isOn: ['enable', isOn],
    ignored: ['ignore-parameters', texts],
    deniedCharacters: ['denied-metacharacters', percentDecodedBytes],
    valueCharacters: ['maximum-parameter-value-length', number],
    instances: ['maximum-instances', numberIfGiven],
    checksNames: ['validate-parameter-name', isOn],
    decodesBase64: ['base64-decode-parameter-value', isOn],
    ...attackTypeMembers,
  }),
)

export const uploadsOfPolicy = sectionReader(securityPolicy, 'parameter-protection', {
  ...uploadMembers,
  fileBytes: ['maximum-upload-file-size', ifGiven(bytesOfKilobytes)],
})

export const attackTypesInParameters = sectionReferenceReader(
  securityPolicy,
  'parameter-protection',
  'custom-blocked-attack-types',
)

/** How a policy protects parameters without a profile; undefined where it does not. */
export function compileParameterProtection(
  policy: ConfigurationObject,
  snapshot: Snapshot,
): SnapshotParameterProtection | undefined {
  const read = parameterProtectionReader.of(policy)
  if (read === undefined) return undefined
  const protection = withAttackTypes(read, attackTypesInParameters, policy, snapshot, { usesRules: true })
  return { ...protection, uploads: compileUploads(uploadsOfPolicy.of(policy)) }
}
