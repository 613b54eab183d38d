import type { Section } from '../../../kinds/kind.ts'
import { headerName } from '../../../kinds/patterns.ts'

/** A fresh service has the policy `default`, and only logs. */
export const basicSecurity = {
  title: 'Basic Security',
  description: 'Which security policy guards the service, and whether attacks are blocked or only logged.',
  fields: {
    'web-firewall-policy': { type: 'reference', to: 'security-policy', default: 'default' },
    mode: {
      type: 'choice',
      values: ['Passive', 'Active'],
      default: 'Passive',
      description: 'Passive logs what Active would block.',
    },
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
    'ignore-case': {
      type: 'yes-no',
      default: 'Yes',
      description: 'Whether URLs and parameters fit rules in any case.',
    },
    'client-ip-addr-header': {
      type: 'string',
      lengthMin: 1,
      lengthMax: 50,
      pattern: headerName,
      description: "The header in which a proxy before the firewall tells the client's address.",
    },
    'trusted-hosts-action': {
      type: 'choice',
      values: ['Allow', 'Passive', 'Default'],
      default: 'Default',
      description: 'What trusted hosts may do that others may not.',
    },
    'trusted-hosts-group': { type: 'reference', to: 'trusted-host-group' },
    'rate-control-status': { type: 'on-off', default: 'Off' },
    'rate-control-pool': {
      type: 'reference',
      to: 'rate-control-pool',
      orOneOf: ['NONE'],
      default: 'NONE',
    },
  },
} as const satisfies Section
