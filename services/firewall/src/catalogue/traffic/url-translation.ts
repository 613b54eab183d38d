import type { Kind } from '../../kinds/kind.ts'

export const urlTranslation = {
  name: 'url-translation',
  title: 'URL Translation',
  description: '',
  path: 'url-translations',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'inside-domain': { type: 'string', lengthMax: 254, required: true },
    'inside-prefix': { type: 'string', lengthMax: 512, required: true },
    'outside-domain': { type: 'string', lengthMax: 254, required: true },
    'outside-prefix': { type: 'string', lengthMax: 512, required: true },
    comments: { type: 'string' },
  },
} as const satisfies Kind
