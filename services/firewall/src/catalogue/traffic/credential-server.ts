import type { Kind } from '../../kinds/kind.ts'
import { absoluteUrl } from '../../kinds/patterns.ts'

/** Has an effect where a secure browsing policy names it. */
export const credentialServer = {
  name: 'credential-server',
  title: 'Credential Server',
  description: 'A server that is asked whether a session comes from a hardened browser.',
  path: 'credential-servers',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'armored-browser-type': { type: 'choice', values: ['Quarri - Protect on Q'], required: true },
    'ip-address': { type: 'ip-address', required: true },
    'policy-name': {
      type: 'string',
      lengthMax: 256,
      required: true,
      description: 'The name of a policy on that server.',
    },
    'cache-expiry': {
      type: 'integer',
      min: 300,
      max: 86_400,
      unit: 'seconds',
      description: 'How long an answer is remembered.',
    },
    'cache-valid-sessions': {
      type: 'yes-no',
      description: 'Asks once for each session, not for each request.',
    },
    port: { type: 'integer', min: 0, max: 65_535 },
    'redirect-url': {
      type: 'string',
      lengthMax: 1024,
      pattern: absoluteUrl,
      description: 'Where clients with other browsers are sent.',
    },
  },
} as const satisfies Kind
