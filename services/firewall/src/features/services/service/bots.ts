import type { Section } from '../../../kinds/kind.ts'
import { hostMatch, notBlank, parameterName } from '../../../kinds/patterns.ts'

/** Keys of a provider are never read back. */
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

/** Content rules have a section of the same name, which can follow this one. */
export const advancedClientAnalysis = {
  title: 'Advanced Client Analysis',
  description: 'Whether pages carry a script that tells how their clients behave.',
  fields: {
    'advanced-analysis': { type: 'choice', values: ['Disable', 'Enable'] },
    'exclude-url-patterns': {
      type: 'list',
      of: { type: 'string', lengthMax: 1024, pattern: notBlank },
      description: 'Pages that are left as they are.',
    },
  },
} as const satisfies Section

/** Looks at the listed parameters alone. */
export const commentSpam = {
  title: 'Comment Spam',
  description: 'Which parameters are searched for links and words of advertisers.',
  fields: {
    parameter: { type: 'list', of: { type: 'string', lengthMax: 256, pattern: parameterName } },
    'exception-patterns': {
      type: 'list',
      of: { type: 'string', lengthMax: 64, pattern: notBlank },
      description: 'Names of patterns that are not searched for.',
    },
  },
} as const satisfies Section

/** Single forms are listed as `form-spam-form` objects of the service. */
export const formSpam = {
  title: 'Form Spam',
  description: 'Whether programs are kept from filling in forms.',
  fields: {
    status: { type: 'on-off' },
    'honeypot-status': {
      type: 'yes-no',
      description: 'Whether forms carry a member that people do not see, and so leave empty.',
    },
    'autoconfigure-status': {
      type: 'yes-no',
      description: 'Whether forms that are seen in the traffic are protected without being listed.',
    },
  },
} as const satisfies Section
