import type { Section } from '../../../kinds/kind.ts'
import { hostMatch } from '../../../kinds/patterns.ts'

export const captchaSettings = {
  title: 'Captcha Settings',
  description: 'Which riddle a suspicious client of the service has to solve.',
  fields: {
    'recaptcha-type': {
      type: 'choice',
      values: ['CAPTCHA', 'reCAPTCHA v2', 'reCAPTCHA v3'],
      description: 'CAPTCHA is made here; the others come from a provider, and need its keys.',
    },
    'recaptcha-domain': {
      type: 'list',
      of: { type: 'string', lengthMax: 253, pattern: hostMatch },
      description: 'The domains that the keys were issued for.',
    },
    'recaptcha-site-key': { type: 'string', lengthMax: 256, writeOnly: true },
    'recaptcha-site-secret': { type: 'string', lengthMax: 256, writeOnly: true },
  },
} as const satisfies Section
