import type { Kind } from '../../kinds/kind.ts'
import { radiusClientFields } from './radius-client-fields.ts'

/** A server of RFC 2865; several of one realm differ in their address. */
export const radiusServer = {
  name: 'radius-server',
  title: 'RADIUS Server',
  description: 'A RADIUS server that checks the users of a realm.',
  path: 'radius-servers',
  parent: 'radius-authentication-service',
  identifiedBy: 'ip-address',
  fields: radiusClientFields,
} as const satisfies Kind
