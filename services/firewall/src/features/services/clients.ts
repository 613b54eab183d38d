import { isOn, number, ranges, textIfGiven } from '../../kinds/conversions.ts'
import { fieldReader, sectionReader, whenOn } from '../../kinds/field-reader.ts'
import type { Value } from '../../kinds/values.ts'
import { service } from './service.ts'

export const idleTimeout = fieldReader(service, { idleTimeoutSeconds: ['session-timeout', number] })

export const clientConnections = sectionReader(service, 'advanced-configuration', {
  requestsPerConnectionMax: ['keepalive-requests', number],
  allowsWebSockets: ['enable-websocket', isOn],
})

/** In which header of a request a proxy before the firewall tells the client's address. */
export const clientAddressHeader = sectionReader(service, 'basic-security', {
  clientAddressHeader: [
    'client-ip-addr-header',
    (value: Value | undefined) => textIfGiven(value)?.toLowerCase(),
  ],
})

export const proxyList = whenOn(
  sectionReader(service, 'advanced-configuration', {
    isOn: ['proxy-list-status', isOn],
    trustedProxies: ['proxy-list', ranges],
  }),
)
