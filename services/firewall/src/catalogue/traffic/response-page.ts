import type { Kind } from '../../kinds/kind.ts'

export const responsePage = {
  name: 'response-page',
  title: 'Response Page',
  description: '',
  path: 'response-pages',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'status-code': { type: 'string', lengthMax: 128, required: true },
    body: { type: 'string', lengthMin: 0, lengthMax: 65_535 },
    headers: { type: 'string', lengthMax: 4096 },
    type: { type: 'choice', values: ['Access Control Pages', 'Captcha Pages', 'Error Pages', 'Other Pages'] },
  },
} as const satisfies Kind
