import type { Section } from '../../../kinds/kind.ts'

/** The community string matters to v2c alone, user, passwords and methods to v3 alone. */
export const snmp = {
  title: 'SNMP',
  description: 'How monitoring systems may ask the system about itself by SNMP.',
  fields: {
    'authentication-method': { type: 'choice', values: ['MD5', 'SHA'], default: 'MD5' },
    'community-string': {
      type: 'string',
      lengthMax: 255,
      writeOnly: true,
      description: 'What has to be known to ask: as good as a password.',
    },
    'enable-snmp-agent': { type: 'yes-no' },
    'encryption-method': { type: 'choice', values: ['AES', 'DES'], default: 'DES' },
    'encryption-password': { type: 'string', lengthMin: 12, lengthMax: 1024, writeOnly: true },
    'ip-address': {
      type: 'list',
      of: { type: 'ip-address' },
      description: 'With the netmasks, each at the same place of its list: from where may be asked.',
    },
    netmask: { type: 'list', of: { type: 'netmask' } },
    password: { type: 'string', lengthMin: 12, lengthMax: 1024, writeOnly: true },
    'system-location': { type: 'string', lengthMax: 255 },
    user: { type: 'string', lengthMax: 255, default: 'admin' },
    version: { type: 'choice', values: ['v2c', 'v3'], default: 'v2c' },
  },
} as const satisfies Section
