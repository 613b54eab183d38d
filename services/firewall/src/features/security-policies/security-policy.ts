import type { Kind } from '../../kinds/kind.ts'
import { objectName } from '../../kinds/patterns.ts'
import { cloaking } from '../cloaking/fields.ts'
import { cookieSecurity } from '../cookie-security/fields.ts'
import { parameterProtection } from '../parameter-protection/fields.ts'
import { requestLimits } from '../request-limits/fields.ts'
import { secondStage } from '../second-stage/fields.ts'
import { tarpitProfile } from '../tarpit/fields.ts'
import { urlNormalization } from '../url-normalization/fields.ts'
import { urlProtection } from '../url-protection/fields.ts'
import { clientProfile } from './security-policy/client-profile.ts'
import { factoryPolicies } from './security-policy/factory-policies.ts'

/**
 * What a service's requests and responses are checked against. Services and content rules name one; several may
 * share it. The sections say what is a violation, the action policies inside say what follows one.
 */
export const securityPolicy = {
  name: 'security-policy',
  title: 'Security Policy',
  description: 'What requests and responses are checked against, for the services that name it.',
  path: 'security-policies',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, pattern: objectName, required: true },
    'based-on': {
      type: 'reference',
      to: 'security-policy',
      orOneOf: ['Create New'],
      createOnly: true,
      writeOnly: true,
      transient: true,
      description: 'The policy whose settings the new one starts with; the defaults when left out.',
    },
  },
  sections: {
    'client-profile': clientProfile,
    cloaking: cloaking,
    'cookie-security': cookieSecurity,
    'parameter-protection': parameterProtection,
    'request-limits': requestLimits,
    'second-stage': secondStage,
    'tarpit-profile': tarpitProfile,
    'url-normalization': urlNormalization,
    'url-protection': urlProtection,
  },
  factory: factoryPolicies,
} as const satisfies Kind
