import type { Kind } from '../../kinds/kind.ts'

export const urlEncryptionRule = {
  name: 'url-encryption-rule',
  title: 'URL Encryption Rule',
  description: '',
  path: 'url-encryption-rules',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    host: { type: 'string', lengthMax: 128, required: true },
    url: { type: 'string', lengthMax: 5000, required: true },
    'allow-unencrypted-requests': { type: 'yes-no' },
    'exclude-urls': { type: 'list', of: { type: 'string' } },
    status: { type: 'on-off' },
  },
} as const satisfies Kind
