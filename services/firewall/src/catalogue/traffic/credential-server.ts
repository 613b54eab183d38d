import type { Kind } from '../../kinds/kind.ts'

export const credentialServer = {
  name: 'credential-server',
  title: 'Credential Server',
  description: '',
  path: 'credential-servers',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'armored-browser-type': { type: 'choice', values: ['Quarri - Protect on Q'], required: true },
    'ip-address': { type: 'ip-address', required: true },
    'policy-name': { type: 'string', required: true },
    'cache-expiry': { type: 'integer', min: 300, max: 86_400, unit: 'seconds' },
    'cache-valid-sessions': { type: 'yes-no' },
    port: { type: 'integer', min: 0, max: 65_535 },
    'redirect-url': { type: 'string' },
  },
} as const satisfies Kind
