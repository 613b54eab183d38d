import type { Kind } from '../../kinds/kind.ts'
import { emailAddress, userName } from '../../kinds/patterns.ts'

/**
 * The role decides what may be done. Passwords have to be as the password policy of the system says; of a password,
 * its argon2id hash is kept.
 */
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
      transient: true,
      description: 'The password once more, against slips.',
    },
    'earlier-passwords': { type: 'list', of: { type: 'string' }, hidden: true },
    'password-changed-at': { type: 'integer', hidden: true, unit: 'milliseconds since 1970' },
  },
} as const satisfies Kind
