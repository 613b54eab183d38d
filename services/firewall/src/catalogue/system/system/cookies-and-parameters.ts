import type { Section } from '../../../kinds/kind.ts'

export const cookiesAndParameters = {
  title: 'Cookies and Parameters',
  description: '',
  fields: {
    'access-control-cookie': { type: 'string', lengthMax: 20, default: 'AuthzInfo' },
    'basic-challenge-cookie': { type: 'string', lengthMax: 20, default: 'BasicChallenge' },
    'bne-cookie-prefix': { type: 'string', lengthMax: 20, default: 'BNE_' },
    'external-secure-cookie-prefix': { type: 'string', lengthMax: 20, default: 'BNES_' },
    'forced-charset-parameter': { type: 'string', lengthMax: 20, default: 'nccharset' },
    'form-honeypot-parameter': { type: 'string', lengthMax: 20 },
    'internal-cookie-prefix': { type: 'string', lengthMax: 20, default: 'BNI_' },
    'internal-secure-cookie-prefix': { type: 'string', lengthMax: 20, default: 'BNIS_' },
    'rsa-state-cookie': { type: 'string', lengthMax: 20, default: 'State' },
    'secure-form-tracking-parameter': { type: 'string', lengthMax: 20, default: '__ncforminfo' },
    'success-url-cookie': { type: 'string', lengthMax: 20, default: 'AuthSuccessURL' },
    'user-session-cookie': { type: 'string', lengthMax: 20, default: 'USR_SESSION_ID' },
  },
} as const satisfies Section
