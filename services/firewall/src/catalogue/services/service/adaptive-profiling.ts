import type { Section } from '../../../kinds/kind.ts'

export const adaptiveProfiling = {
  title: 'Adaptive Profiling',
  description: '',
  fields: {
    'content-types': { type: 'list', of: { type: 'string' }, default: ['text/html', 'text/css'] },
    'ignore-parameters': { type: 'list', of: { type: 'string' } },
    'navigation-parameters': { type: 'list', of: { type: 'string' } },
    'request-learning': {
      type: 'choice',
      values: ['Successes and Redirects', 'Successes Only', 'Trusted', 'None'],
      default: 'Successes and Redirects',
    },
    'response-learning': {
      type: 'choice',
      values: ['Successes and Redirects', 'Successes Only', 'Trusted', 'None'],
      default: 'Successes and Redirects',
    },
    status: { type: 'on-off', default: 'Off' },
    'trusted-host-group': { type: 'string' },
  },
} as const satisfies Section
