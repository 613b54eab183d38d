import { isNotOff, isOn, texts } from '../../kinds/conversions.ts'
import { fieldReader, sectionReader } from '../../kinds/field-reader.ts'
import { ruleGroup } from '../content-rules/rule-group.ts'
import { service } from '../services/service.ts'

export const accessLogOfService = fieldReader(service, { logsAccess: ['enable-access-logs', isOn] })

export const accessLogOfContentRule = fieldReader(ruleGroup, { logsAccess: ['access-log', isNotOff] })

export const maskedParameters = sectionReader(service, 'sensitive-parameter-names', {
  maskedParameters: ['sensitive-parameter-names', texts],
})
