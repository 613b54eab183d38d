import type { Section } from '../../../kinds/kind.ts'
import { objectName } from '../../../kinds/patterns.ts'

export const basicSecurity = {
  title: 'Basic Security',
  description: '',
  fields: {
    'client-ip-addr-header': { type: 'string', lengthMin: 1, lengthMax: 50, pattern: objectName },
    'ignore-case': { type: 'yes-no', default: 'Yes' },
    mode: { type: 'choice', values: ['Passive', 'Active'], default: 'Passive' },
    'rate-control-pool': { type: 'reference', to: 'rate-control-pool', default: 'NONE' },
    'rate-control-status': { type: 'on-off', default: 'Off' },
    'trusted-hosts-action': { type: 'choice', values: ['Allow', 'Passive', 'Default'], default: 'Default' },
    'trusted-hosts-group': { type: 'string' },
    'web-firewall-log-level': {
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
    'web-firewall-policy': { type: 'reference', to: 'security-policy', default: 'default' },
  },
} as const satisfies Section
