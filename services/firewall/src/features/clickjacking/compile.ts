import type { SnapshotFrames } from '@palisade/proxy-protocol'
import { byName, isOn, text } from '../../kinds/conversions.ts'
import { sectionReader, whenOn } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { optional } from '../../objects/reading.ts'
import { service } from '../services/service.ts'

const framedBy = byName<SnapshotFrames['by'] | undefined>(
  { Never: 'never', 'Same Origin': 'same-origin', 'Allowed Origin': 'origin' },
  undefined,
)

/** Who may frame pages; undefined where nothing is said. `origin` counts with the option "Allowed Origin" alone. */
export const clickjackingReader = whenOn(
  sectionReader(service, 'clickjacking', {
    isOn: ['status', isOn],
    by: ['options', framedBy],
    origin: ['allowed-origin', text],
  }),
)

/** What answers say about being shown inside other pages; undefined for nothing. */
export function compileFrames(object: ConfigurationObject): SnapshotFrames | undefined {
  const { by, origin } = clickjackingReader.of(object) ?? {}
  if (by === undefined) return undefined
  return by === 'origin' ? { by, ...optional('origin', origin) } : { by }
}
