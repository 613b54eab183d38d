import type { Kind } from '../../kinds/kind.ts'
import { hostAndPort, urlMatch } from '../../kinds/patterns.ts'

/** Works both ways: addresses in requests are made internal, those in responses external. */
export const urlTranslation = {
  name: 'url-translation',
  title: 'URL Translation',
  description:
    'The address by which clients know a part of the application, and the one that its servers know.',
  path: 'url-translations',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'inside-domain': {
      type: 'string',
      lengthMax: 254,
      pattern: hostAndPort,
      required: true,
      description: 'The host as the servers know it.',
    },
    'inside-prefix': {
      type: 'string',
      lengthMax: 512,
      pattern: urlMatch,
      required: true,
      description: 'The beginning of the path as the servers know it.',
    },
    'outside-domain': {
      type: 'string',
      lengthMax: 254,
      pattern: hostAndPort,
      required: true,
      description: 'The host as clients know it.',
    },
    'outside-prefix': {
      type: 'string',
      lengthMax: 512,
      pattern: urlMatch,
      required: true,
      description: 'The beginning of the path as clients know it.',
    },
    comments: { type: 'string', lengthMax: 256 },
  },
} as const satisfies Kind
