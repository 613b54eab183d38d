import type { Section } from '../../kinds/kind.ts'
import { digits, headerName, parameterName } from '../../kinds/patterns.ts'

/** The age is in minutes here; proxies are told seconds. */
export const cookieSecurity = {
  title: 'Cookie Security',
  description: 'Signs or encrypts the cookies of the servers, and drops those that come back altered.',
  fields: {
    'allow-unrecognized-cookies': {
      type: 'choice',
      values: ['Never', 'Always', 'Custom'],
      default: 'Custom',
      description:
        'Whether cookies pass that were never signed: Custom lets them for the days in days-allowed.',
    },
    'cookie-max-age': {
      type: 'integer',
      min: 0,
      max: 500_000,
      unit: 'minutes',
      default: 1440,
      description: 'How old a signed cookie may become; 0 for any age.',
    },
    'cookie-replay-protection-type': {
      type: 'choice',
      values: ['none', 'IP', 'Custom Headers', 'IP and Custom Headers'],
      default: 'IP',
      description: 'What has to be as it was when the cookie was set.',
    },
    'cookies-exempted': {
      type: 'list',
      of: { type: 'string', lengthMax: 63, pattern: parameterName },
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
      description: 'Cookies that are left alone, such as those that scripts in the browser set.',
    },
    'custom-headers': {
      type: 'list',
      of: { type: 'string', lengthMax: 128, pattern: headerName },
      description: 'The request headers to which a cookie is bound.',
    },
    'days-allowed': {
      type: 'string',
      lengthMax: 9,
      pattern: digits,
      default: '7',
      description: 'For how many days unsigned cookies pass after the protection was turned on.',
    },
    'http-only': { type: 'yes-no', default: 'No', description: 'Whether HttpOnly is added.' },
    'same-site': {
      type: 'choice',
      values: ['Dont Add', 'Lax', 'None', 'Strict'],
      description: 'The SameSite attribute that is added.',
    },
    'secure-cookie': { type: 'yes-no', default: 'No', description: 'Whether Secure is added.' },
    'tamper-proof-mode': {
      type: 'choice',
      values: ['Encrypted', 'Signed', 'None'],
      default: 'Signed',
    },
  },
} as const satisfies Section
