import type { SnapshotHeaderAcl } from '@palisade/proxy-protocol'
import { isNotOff, isPassive, numberIfGiven, percentDecodedBytes, text } from '../../kinds/conversions.ts'
import { fieldReader, type Settings, whenOn } from '../../kinds/field-reader.ts'
import type { Value } from '../../kinds/values.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf } from '../../objects/reading.ts'
import { referenceReader } from '../../objects/reference-reader.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { attackTypeMembers, withAttackTypes } from '../patterns/compile.ts'
import { headerAcl } from './fields.ts'

/** What a rule for headers refuses; undefined where it is switched off. */
export const headerAclReader = whenOn(
  fieldReader(headerAcl, {
    isOn: ['status', isNotOff],
    /** In lower case; `*` for every header that has no rule of its own. */
    header: ['header-name', (value: Value | undefined) => text(value).toLowerCase()],
    isPassive: ['mode', isPassive],
    /** Absent when the limits of the policy count alone. */
    valueBytes: ['max-header-value-length', numberIfGiven],
    /** Byte string. */
    deniedCharacters: ['denied-metachars', percentDecodedBytes],
    ...attackTypeMembers,
  }),
)

/** Attack types that administrators made, beside those that `listed` names. */
export const attackTypesOfHeaderAcl = referenceReader(headerAcl, 'custom-blocked-attack-types')

/** The rules for headers of a service that are switched on. */
export function compileHeaderAcls(service: ConfigurationObject, snapshot: Snapshot): SnapshotHeaderAcl[] {
  return childrenOf(service, headerAcl.name).flatMap((object) => {
    const read = headerAclReader.of(object)
    if (read === undefined) return []
    return {
      name: object.name,
      ...withAttackTypes(read, attackTypesOfHeaderAcl, object, snapshot, { usesRules: false }),
    }
  })
}

/** What a rule for headers says itself. */
export type SnapshotHeaderAclSettings = Omit<Settings<typeof headerAclReader>, keyof typeof attackTypeMembers>
