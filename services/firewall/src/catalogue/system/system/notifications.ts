import type { Section } from '../../../kinds/kind.ts'
import { emailAddresses, hostOrAddress } from '../../../kinds/patterns.ts'

const emailAddressesOfSystem = { type: 'string', lengthMax: 512, pattern: emailAddresses } as const

/** Another mail server or port needs the password once more. */
export const emailNotifications = {
  title: 'Email Notifications',
  description: 'To whom the system writes, and by which mail server.',
  fields: {
    'contact-email-id': {
      ...emailAddressesOfSystem,
      description: 'Who is responsible for the system.',
    },
    'alerts-email-id': { ...emailAddressesOfSystem, description: 'Who is told when something is wrong.' },
    'from-email': emailAddressesOfSystem,
    'smtp-password': {
      type: 'string',
      lengthMax: 1024,
      writeOnly: true,
      sentTo: ['smtp-server', 'smtp-port'],
    },
    'smtp-port': { type: 'integer', min: 1, max: 65_535, default: 25 },
    'smtp-server': { type: 'string', lengthMax: 255, pattern: hostOrAddress },
    'smtp-username': { type: 'string', lengthMax: 255 },
  },
} as const satisfies Section

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
