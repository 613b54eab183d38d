import type { Section } from '../../../kinds/kind.ts'

const enabled = { type: 'choice', values: ['Disable', 'Enable'], default: 'Enable' } as const

export const exportLogSettings = {
  title: 'Export Log Settings',
  description: 'Which logs are sent to the syslog servers.',
  fields: {
    'export-access-logs': enabled,
    'export-audit-logs': enabled,
    'export-network-firewall-logs': enabled,
    'export-system-logs': enabled,
    'export-web-firewall-logs': enabled,
  },
} as const satisfies Section
