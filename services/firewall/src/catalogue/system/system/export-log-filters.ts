import type { Section } from '../../../kinds/kind.ts'
import { logLevels } from '../log-levels.ts'

export const exportLogFilters = {
  title: 'Export Log Filters',
  description: 'How grave events have to be to be sent to the syslog servers.',
  fields: {
    'system-log-severity': { type: 'choice', values: logLevels, default: '5-Notice' },
    'web-firewall-log-severity': { type: 'choice', values: logLevels, default: '1-Alert' },
  },
} as const satisfies Section
