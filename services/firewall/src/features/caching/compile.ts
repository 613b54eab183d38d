import { bytesOfKilobytes, isOn, lowerCaseTexts, number, secondsOfMinutes } from '../../kinds/conversions.ts'
import { type Settings, sectionReader, whenOn } from '../../kinds/field-reader.ts'
import { ruleGroup } from '../content-rules/rule-group.ts'
import { service } from '../services/service.ts'

const shared = {
  isOn: ['status', isOn],
  /** Without the dot, in lower case; `*` for every address. */
  extensions: ['file-extensions', lowerCaseTexts],
  /** In bytes. */
  sizeMin: ['min-size', number],
  sizeMax: ['max-size', bytesOfKilobytes],
  /** How long an answer is kept that does not say itself, in seconds. */
  ageSeconds: ['expiry-age', secondsOfMinutes],
  /** Whether clients that want a fresh answer get a kept one. */
  ignoresRequestHeaders: ['ignore-request-headers', isOn],
  /** Whether answers are kept whose server does not want that. */
  ignoresResponseHeaders: ['ignore-response-headers', isOn],
} as const

/** Which answers of a service are cached; undefined where caching is off. */
export const cachingOfService = whenOn(
  sectionReader(service, 'caching', {
    ...shared,
    /** Whether errors are kept, too. */
    keepsErrors: ['cache-negative-response', isOn],
  }),
)

/** The same of a content rule, where one field has another name. */
export const cachingOfContentRule = whenOn(
  sectionReader(ruleGroup, 'caching', { ...shared, keepsErrors: ['cache-negative-responses', isOn] }),
)

/** Which answers are kept for further clients. */
export type SnapshotCaching = Settings<typeof cachingOfService>
