import type { Kind } from '../../kinds/kind.ts'
import { radiusClientFields } from './radius-client-fields.ts'

/** An RSA Authentication Manager, spoken to over the RADIUS interface that it has. */
export const rsaServer = {
  name: 'rsa-server',
  title: 'RSA Server',
  description: 'An RSA Authentication Manager that checks the codes of a realm.',
  path: 'rsa-securid-servers',
  parent: 'rsa-securid-authentication-service',
  identifiedBy: 'ip-address',
  fields: radiusClientFields,
} as const satisfies Kind
