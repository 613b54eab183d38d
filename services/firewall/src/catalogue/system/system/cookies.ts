import type { Section } from '../../../kinds/kind.ts'
import { cookieName, dateAndTime, parameterName } from '../../../kinds/patterns.ts'

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

/** Systems of a cluster need the same key, so that each understands the cookies that another has encrypted. */
export const encryptionKey = {
  title: 'Encryption Key',
  description: 'The key with which cookies are encrypted and signed.',
  fields: {
    'cookie-encryption-key': {
      type: 'string',
      lengthMin: 128,
      lengthMax: 128,
      writeOnly: true,
      description: '96 random bytes in base64.',
    },
    'key-expiry': {
      type: 'string',
      lengthMax: 19,
      pattern: dateAndTime,
      description: 'From when on cookies that an older key has made are refused.',
    },
    'key-expiry-timezone': {
      type: 'choice',
      values: ['GMT', 'Local'],
      default: 'Local',
      description: "Whether the expiry is meant in GMT or in the system's time zone.",
    },
  },
} as const satisfies Section
