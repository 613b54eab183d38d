import type { Section } from '../../../kinds/kind.ts'

export const exportLogSettings = {
  title: 'Export Log Settings',
  description: '',
  fields: {
    'export-access-logs': { type: 'choice', values: ['Disable', 'Enable'], default: 'Enable' },
    'export-audit-logs': { type: 'choice', values: ['Disable', 'Enable'], default: 'Enable' },
    'export-network-firewall-logs': { type: 'choice', values: ['Disable', 'Enable'], default: 'Enable' },
    'export-system-logs': { type: 'choice', values: ['Disable', 'Enable'], default: 'Enable' },
    'export-web-firewall-logs': { type: 'choice', values: ['Disable', 'Enable'], default: 'Enable' },
  },
} as const satisfies Section
