import type { Kind } from '../../kinds/kind.ts'

export const formSpamForm = {
  name: 'form-spam-form',
  title: 'Form Spam',
  description: '',
  path: 'form-spam-forms',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'action-url': { type: 'string', lengthMax: 5000, required: true, createOnly: true },
    'created-by': { type: 'string', readOnly: true },
    'minimum-form-fill-time': { type: 'integer', min: 1, max: 1024 },
    mode: { type: 'choice', values: ['Active', 'Learning', 'Passive'] },
    'parameter-class': {
      type: 'list',
      of: {
        type: 'choice',
        values: [
          'Alpha',
          'Alphanumeric',
          'Comments',
          'Email',
          'Generic',
          'Hex Number',
          'Integer',
          'Login',
          'No validation',
          'Password',
          'Search',
          'String',
        ],
      },
    },
    'parameter-name': { type: 'list', of: { type: 'string' } },
    status: { type: 'on-off' },
  },
} as const satisfies Kind
