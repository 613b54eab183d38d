import type { Kind } from '../../kinds/kind.ts'

export const parameterProfile = {
  name: 'parameter-profile',
  title: 'Parameter Profile',
  description: '',
  path: 'parameter-profiles',
  parent: 'url-profile',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    parameter: { type: 'string', lengthMax: 512, required: true },
    'parameter-class': { type: 'string', required: true },
    'allowed-file-upload-type': { type: 'choice', values: ['Extensions', 'Mime Types'] },
    'allowed-metachars': { type: 'string', lengthMax: 239 },
    'base64-decode-parameter-value': { type: 'yes-no' },
    comments: { type: 'string', lengthMax: 256 },
    'custom-parameter-class': { type: 'choice', values: ['CommentSpam'] },
    'exception-patterns': { type: 'list', of: { type: 'string' } },
    'file-upload-extensions': { type: 'list', of: { type: 'string' } },
    'file-upload-mime-types': { type: 'list', of: { type: 'string' } },
    ignore: { type: 'yes-no' },
    'max-value-length': { type: 'integer', min: 0, max: 1_073_741_824 },
    'maximum-instances': { type: 'integer', min: 0, max: 32_767 },
    required: { type: 'yes-no' },
    status: { type: 'on-off' },
    type: {
      type: 'choice',
      values: ['File Upload', 'Global Choice', 'Input', 'Read Only', 'Session Choice', 'Session Invariant'],
    },
    'validate-parameter-name': { type: 'yes-no' },
    values: { type: 'list', of: { type: 'string' } },
  },
} as const satisfies Kind
