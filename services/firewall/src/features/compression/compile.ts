import { contentTypeExpressionsIn } from '../../kinds/content-types.ts'
import { isOn, number } from '../../kinds/conversions.ts'
import { type Settings, sectionReader, whenOn } from '../../kinds/field-reader.ts'
import { ruleGroup } from '../content-rules/rule-group.ts'
import { service } from '../services/service.ts'

const shared = {
  isOn: ['status', isOn],
  /** Media types as administrators write them: patterns with the slash in brackets, such as `text[/]html`. */
  contentTypes: ['content-types', contentTypeExpressionsIn],
  /** Smaller ones are sent as they are, in bytes. */
  sizeMin: ['min-size', number],
} as const

/** Which answers of a service are compressed; undefined where compression is off. */
export const compressionOfService = whenOn(
  sectionReader(service, 'compression', {
    ...shared,
    /** Whether those are compressed, too, that have other types or none. */
    unknownTypes: ['unknown-content-types', isOn],
  }),
)

/** The same of a content rule, where one field has another name. */
export const compressionOfContentRule = whenOn(
  sectionReader(ruleGroup, 'compression', {
    ...shared,
    unknownTypes: ['compress-unknown-content-types', isOn],
  }),
)

/** Which answers are compressed for clients that can read them so. */
export type SnapshotCompression = Settings<typeof compressionOfService>
