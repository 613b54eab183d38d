import { service } from '../../catalogue/services/service.ts'
import { isOn, ranges } from '../../kinds/conversions.ts'
import { sectionReader, whenOn } from '../../kinds/field-reader.ts'

export const proxyList = whenOn(
  sectionReader(service, 'advanced-configuration', {
    isOn: ['proxy-list-status', isOn],
    trustedProxies: ['proxy-list', ranges],
  }),
)
