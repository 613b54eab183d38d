import type { Kind, Section } from '../../kinds/kind.ts'
import { hostMatch, urlMatch } from '../../kinds/patterns.ts'

/** The rules are objects of their own, inside the service. */
export const urlEncryption = {
  title: 'URL Encryption',
  description: 'Whether the URL encryption rules of the service are followed.',
  fields: { status: { type: 'on-off', default: 'Off' } },
} as const satisfies Section

/** Has an effect only while URL Encryption of the service is on. */
export const urlEncryptionRule = {
  name: 'url-encryption-rule',
  title: 'URL Encryption Rule',
  description: 'Which pages have their links encrypted, so that nobody can reach what was not offered.',
  path: 'url-encryption-rules',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    host: { type: 'string', lengthMax: 128, pattern: hostMatch, required: true },
    url: { type: 'string', lengthMax: 5000, pattern: urlMatch, required: true },
    'allow-unencrypted-requests': {
      type: 'yes-no',
      description: 'Lets the same pages be reached by their plain addresses.',
    },
    'exclude-urls': {
      type: 'list',
      description: 'Links that stay as they are, such as *.jpg.',
      of: { type: 'string', lengthMax: 5000 },
    },
    status: { type: 'on-off' },
  },
} as const satisfies Kind
