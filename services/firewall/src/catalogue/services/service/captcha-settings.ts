import type { Section } from '../../../kinds/kind.ts'

export const captchaSettings = {
  title: 'Captcha Settings',
  description: '',
  fields: {
    'recaptcha-domain': { type: 'string' },
    'recaptcha-site-key': { type: 'string', writeOnly: true },
    'recaptcha-site-secret': { type: 'string', writeOnly: true },
    'recaptcha-type': { type: 'choice', values: ['CAPTCHA', 'reCAPTCHA v2', 'reCAPTCHA v3'] },
  },
} as const satisfies Section
