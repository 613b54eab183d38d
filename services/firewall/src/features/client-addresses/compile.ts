import { service } from '../../catalogue/services/service.ts'
import { textIfGiven } from '../../kinds/conversions.ts'
import { sectionReader } from '../../kinds/field-reader.ts'
import type { Value } from '../../kinds/values.ts'

/** In which header of a request a proxy before the firewall tells the client's address. */
export const clientAddressHeader = sectionReader(service, 'basic-security', {
  clientAddressHeader: [
    'client-ip-addr-header',
    (value: Value | undefined) => textIfGiven(value)?.toLowerCase(),
  ],
})
