import type { Kind } from '../../kinds/kind.ts'

export const sessionIdentifier = {
  name: 'session-identifier',
  title: 'Session Identifiers',
  description: '',
  path: 'session-identifiers',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'token-name': { type: 'string', required: true },
    'token-type': {
      type: 'choice',
      values: [
        'Cookie',
        'Cookie Prefix',
        'Cookie Suffix',
        'Parameter',
        'Parameter Prefix',
        'Parameter Suffix',
        'URL Path',
        'URL Path Prefix',
        'URL Path Suffix',
      ],
      required: true,
    },
    'end-delimiter': { type: 'string', default: ';' },
    'start-delimiter': { type: 'string', default: '=' },
  },
} as const satisfies Kind
