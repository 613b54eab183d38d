import type { SnapshotHeaderAcl } from '@palisade/proxy-protocol'
import { isNotOff, isPassive, numberIfGiven, percentDecodedBytes, text } from '../../kinds/conversions.ts'
import { fieldReader, whenOn } from '../../kinds/field-reader.ts'
import type { Value } from '../../kinds/values.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf } from '../../objects/reading.ts'
import { referenceReader } from '../../objects/reference-reader.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { attackTypeMembers, withAttackTypes } from '../patterns/compile.ts'
import { headerAcl } from './fields.ts'

export const headerAclReader = whenOn(
  fieldReader(headerAcl, {
    isOn: ['status', isNotOff],
    header: ['header-name', (value: Value | undefined) => text(value).toLowerCase()],
    isPassive: ['mode', isPassive],
    valueBytes: ['max-header-value-length', numberIfGiven],
    deniedCharacters: ['denied-metachars', percentDecodedBytes],
    ...attackTypeMembers,
  }),
)

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
