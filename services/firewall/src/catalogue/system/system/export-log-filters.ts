import type { Section } from '../../../kinds/kind.ts'

export const exportLogFilters = {
  title: 'Export Log Filters',
  description: '',
  fields: {
    'system-log-severity': {
      type: 'choice',
      values: [
        '0-Emergency',
        '1-Alert',
        '2-Critical',
        '3-Error',
        '4-Warning',
        '5-Notice',
        '6-Information',
        '7-Debug',
      ],
      default: '5-Notice',
    },
    'web-firewall-log-severity': {
      type: 'choice',
      values: [
        '0-Emergency',
        '1-Alert',
        '2-Critical',
        '3-Error',
        '4-Warning',
        '5-Notice',
        '6-Information',
        '7-Debug',
      ],
      default: '1-Alert',
    },
  },
} as const satisfies Section
