import type { Section } from '../../../kinds/kind.ts'

export const syslogSettings = {
  title: 'Syslog Settings',
  description: '',
  fields: {
    'access-log-facility': {
      type: 'choice',
      values: ['local0', 'local1', 'local2', 'local3', 'local4', 'local5', 'local6', 'local7'],
      default: 'local0',
    },
    'audit-log-facility': {
      type: 'choice',
      values: ['local0', 'local1', 'local2', 'local3', 'local4', 'local5', 'local6', 'local7'],
      default: 'local0',
    },
    'network-firewall-log-facility': {
      type: 'choice',
      values: ['local0', 'local1', 'local2', 'local3', 'local4', 'local5', 'local6', 'local7'],
      default: 'local0',
    },
    'syslog-facility': {
      type: 'choice',
      values: ['local0', 'local1', 'local2', 'local3', 'local4', 'local5', 'local6', 'local7'],
      default: 'local0',
    },
    'web-firewall-log-facility': {
      type: 'choice',
      values: ['local0', 'local1', 'local2', 'local3', 'local4', 'local5', 'local6', 'local7'],
      default: 'local0',
    },
  },
} as const satisfies Section
