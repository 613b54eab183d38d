import type { Kind } from '../../kinds/kind.ts'

export const rsaServer = {
  name: 'rsa-server',
  title: 'RSA Server',
  description: '',
  path: 'rsa-securid-servers',
  parent: 'rsa-securid-authentication-service',
  identifiedBy: 'ip-address',
  fields: {
    'ip-address': { type: 'string', lengthMax: 255, required: true },
    port: { type: 'integer', min: 1, max: 65_535 },
    retries: { type: 'integer', min: 0, max: 10 },
    'shared-secret': { type: 'string', lengthMin: 6, lengthMax: 128, writeOnly: true },
    timeout: { type: 'integer', min: 1, max: 30 },
  },
} as const satisfies Kind
