import type { SnapshotProtectedData } from '@palisade/proxy-protocol'
import { isOn, number, text } from '../../kinds/conversions.ts'
import { fieldReader, whenOn } from '../../kinds/field-reader.ts'
import type { Value } from '../../kinds/values.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf, kindNamedBy } from '../../objects/reading.ts'
import { referenceReader } from '../../objects/reference-reader.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { identityPatterns } from '../patterns/compile.ts'
import { dataTheftProtection } from './fields.ts'

export const protectedDataReader = whenOn(
  fieldReader(dataTheftProtection, {
    isOn: ['enable', isOn],
    does: ['action', doesOf],
    type: ['identity-theft-type', text],
    keepsInitial: ['initial-characters-to-keep', number],
    keepsTrailing: ['trailing-characters-to-keep', number],
  }),
)

/** The type of data where that is CUSTOM. */
export const customTypeOfData = referenceReader(dataTheftProtection, 'custom-identity-theft-type')

function doesOf(action: Value | undefined): SnapshotProtectedData['does'] {
  return action === 'Cloak' ? 'cloak' : 'block'
}

/** The data that answers must not give away, as a policy says. */
export function compileProtectedData(
  policy: ConfigurationObject,
  snapshot: Snapshot,
): SnapshotProtectedData[] {
  return childrenOf(policy, dataTheftProtection.name).flatMap((object) => {
    const read = protectedDataReader.of(object)
    if (read === undefined) return []
    const { type, ...rest } = read
    const found = typeOfData(type, object, snapshot)
    return found ? { name: object.name, ...rest, patterns: identityPatterns(found) } : []
  })
}

function typeOfData(
  type: string,
  by: ConfigurationObject,
  snapshot: Snapshot,
): ConfigurationObject | undefined {
  if (type === 'CUSTOM') return customTypeOfData.of(by, snapshot)[0]
  const kind = kindNamedBy(by.kind, 'custom-identity-theft-type')
  return kind && snapshot.object(kind, [type])
}
