import type { Kind } from '../../kinds/kind.ts'
import { objectName } from '../../kinds/patterns.ts'

export const serviceGroup = {
  name: 'service-group',
  title: 'Group',
  description: '',
  path: 'service-groups',
  parent: 'vsite',
  identifiedBy: 'service-group',
  fields: {
    'service-group': { type: 'string', lengthMax: 255, pattern: objectName, required: true },
  },
} as const satisfies Kind
