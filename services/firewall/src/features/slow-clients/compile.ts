import type { SlowClientLimits } from '@palisade/proxy-protocol'
import { bytesOfKilobytes, isOn, number, ranges } from '../../kinds/conversions.ts'
import { sectionReader, whenOn } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { service } from '../services/service.ts'

/**
 * How long clients may take, in seconds; undefined where they may take any time. Each time grows while the client keeps the rate, up to
 * its maximum.
 */
export const slowClientReader = whenOn(
  sectionReader(service, 'slow-client-attack', {
    isOn: ['status', isOn],
    bytesPerSecond: ['data-transfer-rate', bytesOfKilobytes],
    requestIncrement: ['incremental-request-timeout', number],
    requestMax: ['max-request-timeout', number],
    responseIncrement: ['incremental-response-timeout', number],
    responseMax: ['max-response-timeout', number],
    exceptions: ['exception-clients', ranges],
  }),
)

/** How slow the clients of a service may be; undefined when that does not matter. */
export function slowClientLimits(object: ConfigurationObject): SlowClientLimits | undefined {
  const read = slowClientReader.of(object)
  if (read === undefined) return undefined
  const { bytesPerSecond, exceptions } = read
  return {
    bytesPerSecond,
    request: { incrementalSeconds: read.requestIncrement, maxSeconds: read.requestMax },
    response: { incrementalSeconds: read.responseIncrement, maxSeconds: read.responseMax },
    exceptions,
  }
}
