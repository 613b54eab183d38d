import { ruleGroup } from '../../catalogue/services/rule-group.ts'
import { service } from '../../catalogue/services/service.ts'
import { isNotOff, isOn, texts } from '../../kinds/conversions.ts'
import { fieldReader, sectionReader } from '../../kinds/field-reader.ts'

export const accessLogOfService = fieldReader(service, { logsAccess: ['enable-access-logs', isOn] })

export const accessLogOfContentRule = fieldReader(ruleGroup, { logsAccess: ['access-log', isNotOff] })

export const maskedParameters = sectionReader(service, 'sensitive-parameter-names', {
  maskedParameters: ['sensitive-parameter-names', texts],
})
