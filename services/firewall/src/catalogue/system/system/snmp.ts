import type { Section } from '../../../kinds/kind.ts'

export const snmp = {
  title: 'SNMP',
  description: '',
  fields: {
    'authentication-method': { type: 'choice', values: ['MD5', 'SHA'], default: 'MD5' },
    'community-string': { type: 'string', default: 'cudaSNMP' },
    'enable-snmp-agent': { type: 'yes-no', default: 'Yes' },
    'encryption-method': { type: 'choice', values: ['AES', 'DES'], default: 'DES' },
    'encryption-password': { type: 'string', lengthMin: 12, writeOnly: true },
    'ip-address': { type: 'ip-address' },
    netmask: { type: 'netmask' },
    password: { type: 'string', lengthMin: 12, writeOnly: true },
    'system-location': { type: 'string' },
    user: { type: 'string', default: 'admin' },
    version: { type: 'choice', values: ['v2c', 'v3'], default: 'v2c' },
  },
} as const satisfies Section
