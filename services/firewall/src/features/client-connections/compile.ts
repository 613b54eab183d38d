import { service } from '../../catalogue/services/service.ts'
import { isOn, number } from '../../kinds/conversions.ts'
import { fieldReader, sectionReader } from '../../kinds/field-reader.ts'

export const idleTimeout = fieldReader(service, { idleTimeoutSeconds: ['session-timeout', number] })

export const clientConnections = sectionReader(service, 'advanced-configuration', {
  requestsPerConnectionMax: ['keepalive-requests', number],
  allowsWebSockets: ['enable-websocket', isOn],
})
