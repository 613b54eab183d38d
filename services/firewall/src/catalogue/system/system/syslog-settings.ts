import type { Section } from '../../../kinds/kind.ts'

/** Of the facilities of RFC 5424, section 6.2.1, those that have no meaning of their own. */
const facility = {
  type: 'choice',
  values: ['local0', 'local1', 'local2', 'local3', 'local4', 'local5', 'local6', 'local7'],
  default: 'local0',
} as const

export const syslogSettings = {
  title: 'Syslog Settings',
  description: 'The facility by which syslog servers tell the logs apart.',
  fields: {
    'access-log-facility': facility,
    'audit-log-facility': facility,
    'network-firewall-log-facility': facility,
    'syslog-facility': { ...facility, description: 'That of the system log.' },
    'web-firewall-log-facility': facility,
  },
} as const satisfies Section
