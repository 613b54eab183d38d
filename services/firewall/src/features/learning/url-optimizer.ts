import type { Kind } from '../../kinds/kind.ts'

/**
 * Learning makes one profile for each of /news/1.html, /news/2.html and so on; with the token "/news/" and the
 * delimiter "." it makes one for all of them.
 */
export const urlOptimizer = {
  name: 'url-optimizer',
  title: 'URL Optimizer',
  description: 'Joins the learned profiles of all URLs that differ in one part only.',
  path: 'url-optimizers',
  parent: 'service',
  identifiedBy: 'name',
  operations: ['list', 'create', 'read', 'delete'],
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'start-token': {
      type: 'string',
      lengthMax: 50,
      required: true,
      description: 'The beginning that the URLs have in common.',
    },
    'end-delimiter': {
      type: 'string',
      lengthMax: 1,
      description: 'The character at which the varying part ends; the end of the URL when empty.',
    },
  },
} as const satisfies Kind
