import type { Kind } from '../../kinds/kind.ts'
import { emailAddress, userName } from '../../kinds/patterns.ts'

/** The role decides what may be done. Passwords have to be as the password policy of the system says. */
export const user = {
  name: 'user',
  title: 'User',
  description: 'An administrator, who logs in with a name and a password.',
  path: 'users',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, pattern: userName, required: true },
    'email-address': {
      type: 'string',
      lengthMax: 254,
      pattern: emailAddress,
      required: true,
      description: 'Where notices about the account go.',
    },
    role: {
      type: 'reference',
      to: 'administrator-role',
      required: true,
      description: 'What the administrator may do.',
    },
    password: { type: 'string', lengthMax: 1024, required: true, writeOnly: true },
    're-enter-password': {
      type: 'string',
      lengthMax: 1024,
      writeOnly: true,
      description: 'The password once more, against slips.',
    },
  },
} as const satisfies Kind
