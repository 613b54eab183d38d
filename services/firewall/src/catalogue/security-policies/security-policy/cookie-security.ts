import type { Section } from '../../../kinds/kind.ts'
import { parameterName } from '../../../kinds/patterns.ts'

export const cookieSecurity = {
  title: 'Cookie Security',
  description: '',
  fields: {
    'allow-unrecognized-cookies': {
      type: 'choice',
      values: ['Never', 'Always', 'Custom'],
      default: 'Custom',
    },
    'cookie-max-age': { type: 'integer', min: 0, max: 500_000, default: 1440 },
    'cookie-replay-protection-type': {
      type: 'choice',
      values: ['none', 'IP', 'Custom Headers', 'IP and Custom Headers'],
      default: 'IP',
    },
    'cookies-exempted': {
      type: 'list',
      of: { type: 'string', pattern: parameterName },
      default: [
        '__utma',
        '__utmc',
        '__utmz',
        '__utmb',
        'AuthSuccessURL',
        'CTSESSION',
        'SMSESSION',
        'SMCHALLENGE',
      ],
    },
    'custom-headers': { type: 'list', of: { type: 'string' } },
    'days-allowed': { type: 'string', default: '7' },
    'http-only': { type: 'yes-no', default: 'No' },
    'same-site': { type: 'choice', values: ['Dont Add', 'Lax', 'None', 'Strict'] },
    'secure-cookie': { type: 'yes-no', default: 'No' },
    'tamper-proof-mode': { type: 'choice', values: ['Encrypted', 'Signed', 'None'], default: 'Signed' },
  },
} as const satisfies Section
