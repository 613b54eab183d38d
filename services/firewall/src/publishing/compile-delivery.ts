import type { SnapshotCaching, SnapshotCompression } from '@palisade/proxy-protocol'
import type { Values } from '../kinds/values.ts'
import { contentTypeExpressionsIn } from './content-types.ts'
import { isOn, texts } from './reading.ts'

const bytesPerKilobyte = 1024
const secondsPerMinute = 60

/** @param values of the section `compression` of a service or content rule @returns undefined when it is switched off */
export function compileCompression(values: Values): SnapshotCompression | undefined {
  if (!isOn(values.status)) return undefined
  return {
    contentTypes: contentTypeExpressionsIn(values['content-types']),
    unknownTypes: isOn(values['unknown-content-types'] ?? values['compress-unknown-content-types']),
    sizeMin: Number(values['min-size']),
  }
}

/** @param values of the section `caching` of a service or content rule @returns undefined when it is switched off */
export function compileCaching(values: Values): SnapshotCaching | undefined {
  if (!isOn(values.status)) return undefined
  return {
    extensions: texts(values['file-extensions']).map((extension) => extension.toLowerCase()),
    sizeMin: Number(values['min-size']),
    sizeMax: Number(values['max-size']) * bytesPerKilobyte,
    ageSeconds: Number(values['expiry-age']) * secondsPerMinute,
    keepsErrors: isOn(values['cache-negative-response'] ?? values['cache-negative-responses']),
    ignoresRequestHeaders: isOn(values['ignore-request-headers']),
    ignoresResponseHeaders: isOn(values['ignore-response-headers']),
  }
}
