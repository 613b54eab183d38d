import type { Kind } from '../../kinds/kind.ts'
import { hostName } from '../../kinds/patterns.ts'

/** A KDC (RFC 4120); several of one realm differ in their address. */
export const kerberosDomainServer = {
  name: 'kerberos-domain-server',
  title: 'Kerberos Domain Server',
  description: 'A key distribution centre that issues the tickets of a Kerberos realm.',
  path: 'kerberos-servers',
  parent: 'kerberos-authentication-service',
  identifiedBy: 'ip-address',
  fields: {
    'ip-address': { type: 'ip-address', required: true },
    'kdc-name': {
      type: 'string',
      lengthMax: 255,
      pattern: hostName,
      required: true,
      description: 'The host name of the key distribution centre.',
    },
    'domain-alias': {
      type: 'string',
      lengthMax: 255,
      description: 'What users may write for the domain, such as EXAMPLE in EXAMPLE\\jane.',
    },
    port: { type: 'integer', min: 1, max: 65_535 },
  },
} as const satisfies Kind
