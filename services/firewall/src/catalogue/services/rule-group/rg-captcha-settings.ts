import type { Section } from '../../../kinds/kind.ts'

export const rgCaptchaSettings = {
  title: 'Captcha Settings',
  description: '',
  fields: {
    'recaptcha-type': { type: 'choice', values: ['CAPTCHA', 'reCAPTCHA v2', 'reCAPTCHA v3'] },
    'rg-recaptcha-domain': { type: 'string' },
    'rg-recaptcha-site-key': { type: 'string', writeOnly: true },
    'rg-recaptcha-site-secret': { type: 'string', writeOnly: true },
  },
} as const satisfies Section
