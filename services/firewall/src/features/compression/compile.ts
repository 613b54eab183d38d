import { contentTypeExpressionsIn } from '../../kinds/content-types.ts'
import { isOn, number } from '../../kinds/conversions.ts'
import { sectionReader, whenOn } from '../../kinds/field-reader.ts'
import { ruleGroup } from '../content-rules/rule-group.ts'
import { service } from '../services/service.ts'

const shared = {
  isOn: ['status', isOn],
  contentTypes: ['content-types', contentTypeExpressionsIn],
  sizeMin: ['min-size', number],
} as const

export const compressionOfService = whenOn(
  sectionReader(service, 'compression', { ...shared, unknownTypes: ['unknown-content-types', isOn] }),
)

export const compressionOfContentRule = whenOn(
  sectionReader(ruleGroup, 'compression', {
    ...shared,
    unknownTypes: ['compress-unknown-content-types', isOn],
  }),
)
