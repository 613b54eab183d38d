import type { Section } from '../../../kinds/kind.ts'

export const loadBalancing = {
  title: 'Load Balancing',
  description: '',
  fields: {
    'cookie-age': { type: 'integer', min: 1, max: 1_051_200 },
    'failover-method': { type: 'choice', values: ['Load Balance', 'Error'], default: 'Load Balance' },
    'header-name': { type: 'string' },
    'lb-algorithm': {
      type: 'choice',
      values: ['Round Robin', 'Weighted Round Robin', 'Least Requests'],
      default: 'Round Robin',
    },
    'parameter-name': { type: 'string' },
    'persistence-cookie-domain': { type: 'string' },
    'persistence-cookie-name': { type: 'string', default: 'persistence' },
    'persistence-cookie-path': { type: 'string' },
    'persistence-idle-timeout': { type: 'integer', min: 0, max: 86_400, default: 600 },
    'persistence-method': {
      type: 'choice',
      values: ['None', 'Source IP', 'Cookie Insert', 'Cookie Passive', 'HTTP Header', 'URL Parameter'],
      default: 'None',
    },
    'source-ip-netmask': { type: 'netmask' },
  },
} as const satisfies Section
