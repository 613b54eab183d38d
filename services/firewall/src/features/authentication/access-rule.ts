import type { Kind } from '../../kinds/kind.ts'
import { objectName } from '../../kinds/patterns.ts'

/**
 * Some of the people who log in through an identity provider: those of whom it asserts these attributes. The two
 * lists go with each other, item by item. Authorization policies name the rules whose people they let through.
 */
export const accessRule = {
  name: 'access-rule',
  title: 'Access Rule',
  description:
    'Values that attributes of people have to have, so that an authorization policy lets them through.',
  path: 'access-rules',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 255, pattern: objectName, required: true },
    'attribute-names': { type: 'list', of: { type: 'string', lengthMax: 255 } },
    'attribute-values': {
      type: 'list',
      of: { type: 'string', lengthMax: 1024 },
      description: 'One for each attribute, in their order.',
    },
  },
} as const satisfies Kind
