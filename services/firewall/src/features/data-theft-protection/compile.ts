import type { SnapshotProtectedData } from '@palisade/proxy-protocol'
import { byName, isOn, number, text } from '../../kinds/conversions.ts'
import { fieldReader, type Settings, whenOn } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf, kindNamedBy } from '../../objects/reading.ts'
import { referenceReader } from '../../objects/reference-reader.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { identityPatterns } from '../patterns/compile.ts'
import { dataTheftProtection } from './fields.ts'

/** What becomes of one type of data in answers; undefined where that is switched off. */
export const protectedDataReader = whenOn(
  fieldReader(dataTheftProtection, {
    isOn: ['enable', isOn],
    does: ['action', byName({ Cloak: 'cloak' }, 'block')],
    type: ['identity-theft-type', text],
    /** What stays readable of what is cloaked, in characters. */
    keepsInitial: ['initial-characters-to-keep', number],
    keepsTrailing: ['trailing-characters-to-keep', number],
  }),
)

/** The type of data where that is CUSTOM. */
export const customTypeOfData = referenceReader(dataTheftProtection, 'custom-identity-theft-type')

/** The data that answers must not give away, as a policy says. */
export function compileProtectedData(
  policy: ConfigurationObject,
  snapshot: Snapshot,
): SnapshotProtectedData[] {
  return childrenOf(policy, dataTheftProtection.name).flatMap((object) => {
    const read = protectedDataReader.of(object)
    if (read === undefined) return []
    const { type, ...rest } = read
    const dataType = typeOfData(type, object, snapshot)
    return dataType ? { name: object.name, ...rest, patterns: identityPatterns(dataType) } : []
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

/** What becomes of data that answers must not give away. */
export type SnapshotDataProtection = Omit<Settings<typeof protectedDataReader>, 'type'>
