import { bytesOfKilobytes, isOn, number } from '../../kinds/conversions.ts'
import { type Settings, sectionReader, whenOn } from '../../kinds/field-reader.ts'
import { service } from '../services/service.ts'

const section = 'stored-traffic'

/** Which requests proxies keep; undefined where they keep none. */
export const storedTrafficOfService = whenOn(
  sectionReader(service, section, {
    isOn: ['status', isOn],
    /** Of so many requests in which nothing was found, one is kept. */
    ordinaryShare: ['ordinary-requests', number],
    /** Requests with longer bodies are not kept. */
    bodyBytesMax: ['max-body-kilobytes', bytesOfKilobytes],
  }),
)

/** Not for proxies: how much the store has of a service, and how long; undefined where it has nothing. */
export const storedTrafficBounds = whenOn(
  sectionReader(service, section, {
    isOn: ['status', isOn],
    bytesMax: ['max-kilobytes', bytesOfKilobytes],
    daysMax: ['max-days', number],
  }),
)

/** Which requests are kept to be judged again. */
export type SnapshotStoredTraffic = Settings<typeof storedTrafficOfService>
