import type { Section } from '../../../kinds/kind.ts'
import { captchaSettings as ofService } from '../service/captcha-settings.ts'

const {
  'recaptcha-type': type,
  'recaptcha-domain': domain,
  'recaptcha-site-key': siteKey,
  'recaptcha-site-secret': siteSecret,
} = ofService.fields

/** As a service's, under names of their own. */
export const rgCaptchaSettings = {
  title: 'Captcha Settings',
  description: "Which riddle a suspicious client of the rule's requests has to solve.",
  fields: {
    'recaptcha-type': type,
    'rg-recaptcha-domain': domain,
    'rg-recaptcha-site-key': siteKey,
    'rg-recaptcha-site-secret': siteSecret,
  },
} as const satisfies Section
