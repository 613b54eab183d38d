import type { Section } from '../../../kinds/kind.ts'
import { cookieName, parameterName } from '../../../kinds/patterns.ts'

/** Limits of the system's own cookies and parameters, which are sent with each request. */
const lengthMax = 20

function cookie<const Name extends string>(usual: Name) {
  return { type: 'string', lengthMax, pattern: cookieName, default: usual } as const
}

function parameter<const Name extends string>(usual: Name) {
  return { type: 'string', lengthMax, pattern: parameterName, default: usual } as const
}

/** Change them where an application uses the same names, or where nobody is to know what protects it. */
export const cookiesAndParameters = {
  title: 'Cookies and Parameters',
  description: 'What the cookies and parameters are called that the system adds for its own use.',
  fields: {
    'access-control-cookie': cookie('AuthzInfo'),
    'basic-challenge-cookie': cookie('BasicChallenge'),
    'bne-cookie-prefix': cookie('BNE_'),
    'external-secure-cookie-prefix': cookie('BNES_'),
    'forced-charset-parameter': parameter('nccharset'),
    'form-honeypot-parameter': {
      type: 'string',
      lengthMax,
      pattern: parameterName,
      description: 'A field that people do not see, so that only programs fill it in.',
    },
    'internal-cookie-prefix': cookie('BNI_'),
    'internal-secure-cookie-prefix': cookie('BNIS_'),
    'rsa-state-cookie': cookie('State'),
    'secure-form-tracking-parameter': parameter('__ncforminfo'),
    'success-url-cookie': cookie('AuthSuccessURL'),
    'user-session-cookie': cookie('USR_SESSION_ID'),
  },
} as const satisfies Section
