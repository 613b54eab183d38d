import { bytesOfKilobytes, isOn, lowerCaseTexts, number, secondsOfMinutes } from '../../kinds/conversions.ts'
import { sectionReader, whenOn } from '../../kinds/field-reader.ts'
import { ruleGroup } from '../content-rules/rule-group.ts'
import { service } from '../services/service.ts'

const shared = {
  isOn: ['status', isOn],
  extensions: ['file-extensions', lowerCaseTexts],
  sizeMin: ['min-size', number],
  sizeMax: ['max-size', bytesOfKilobytes],
  ageSeconds: ['expiry-age', secondsOfMinutes],
  ignoresRequestHeaders: ['ignore-request-headers', isOn],
  ignoresResponseHeaders: ['ignore-response-headers', isOn],
} as const

export const cachingOfService = whenOn(
  sectionReader(service, 'caching', { ...shared, keepsErrors: ['cache-negative-response', isOn] }),
)

export const cachingOfContentRule = whenOn(
  sectionReader(ruleGroup, 'caching', { ...shared, keepsErrors: ['cache-negative-responses', isOn] }),
)
