import type { Kind } from '../../kinds/kind.ts'
import { objectName } from '../../kinds/patterns.ts'
import { clientProfile } from './security-policy/client-profile.ts'
import { cloaking } from './security-policy/cloaking.ts'
import { cookieSecurity } from './security-policy/cookie-security.ts'
import { parameterProtection } from './security-policy/parameter-protection.ts'
import { requestLimits } from './security-policy/request-limits.ts'
import { tarpitProfile } from './security-policy/tarpit-profile.ts'
import { urlNormalization } from './security-policy/url-normalization.ts'
import { urlProtection } from './security-policy/url-protection.ts'

export const securityPolicy = {
  name: 'security-policy',
  title: 'Security Policy',
  description: '',
  path: 'security-policies',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, pattern: objectName, required: true },
    'based-on': { type: 'string', createOnly: true, writeOnly: true },
  },
  sections: {
    'client-profile': clientProfile,
    cloaking: cloaking,
    'cookie-security': cookieSecurity,
    'parameter-protection': parameterProtection,
    'request-limits': requestLimits,
    'tarpit-profile': tarpitProfile,
    'url-normalization': urlNormalization,
    'url-protection': urlProtection,
  },
} as const satisfies Kind
