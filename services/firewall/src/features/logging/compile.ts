import { isNotOff, isOn, texts } from '../../kinds/conversions.ts'
import { fieldReader, type Settings, sectionReader } from '../../kinds/field-reader.ts'
import { ruleGroup } from '../content-rules/rule-group.ts'
import { service } from '../services/service.ts'

/** Whether a service logs its requests; only where it says so. */
export const accessLogOfService = fieldReader(service, { logsAccess: ['enable-access-logs', isOn] })

/** Whether a content rule logs its requests; unless it says otherwise. */
export const accessLogOfContentRule = fieldReader(ruleGroup, { logsAccess: ['access-log', isNotOff] })

/** The parameters of a service that no log may show. */
export const maskedParameters = sectionReader(service, 'sensitive-parameter-names', {
  /** Names of parameters whose values no log may show; `*` stands for any characters. */
  maskedParameters: ['sensitive-parameter-names', texts],
})

/** What of the requests to a service is logged. */
export type SnapshotLogging = Settings<typeof accessLogOfService> & Settings<typeof maskedParameters>
