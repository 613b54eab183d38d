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
import { type Settings, sectionReader, whenOn } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { sectionReferenceReader } from '../../objects/reference-reader.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { attackTypeMembers, withAttackTypes } from '../patterns/compile.ts'
import { securityPolicy } from '../security-policies/security-policy.ts'
import { compileUploads, uploadMembers } from './uploads.ts'

/** How parameters without a profile are checked; undefined where that is switched off. */
export const parameterProtectionReader = whenOn(
  sectionReader(securityPolicy, 'parameter-protection', {
    isOn: ['enable', isOn],
    ignored: ['ignore-parameters', texts],
    /** Characters (byte strings) that no value may have. */
    deniedCharacters: ['denied-metacharacters', percentDecodedBytes],
    /** Of a value, in characters; 0 for any. */
    valueCharacters: ['maximum-parameter-value-length', number],
    /** Of one parameter in a request; absent for any. */
    instances: ['maximum-instances', numberIfGiven],
    /** Whether attacks are also looked for in names. */
    checksNames: ['validate-parameter-name', isOn],
    decodesBase64: ['base64-decode-parameter-value', isOn],
    ...attackTypeMembers,
  }),
)

/** Which uploaded files a policy takes; sizes in bytes, absent for any. */
export const uploadsOfPolicy = sectionReader(securityPolicy, 'parameter-protection', {
  ...uploadMembers,
  fileBytes: ['maximum-upload-file-size', ifGiven(bytesOfKilobytes)],
})

/** Attack types that administrators made, beside those that `listed` names. */
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

/** What values of parameters may be. */
export type SnapshotValueSettings = Omit<
  Settings<typeof parameterProtectionReader>,
  'ignored' | keyof typeof attackTypeMembers
>
