import type { Kind } from '../../kinds/kind.ts'
import { notBlank } from '../../kinds/patterns.ts'
import { placeFields } from '../places/fields.ts'

/**
 * For parameters in which people write. Unlike a rule exception it leaves out no rule by number, and unlike a profile it leaves nothing
 * unseen: what cannot be ordinary text is judged as before. This kind is our own.
 */
export const secondOpinion = {
  name: 'second-opinion',
  title: 'Second Opinion',
  description:
    'A parameter in which people write: a request that is refused for words in it is looked at once more, and goes on where they are ordinary text.',
  path: 'second-opinions',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    status: { type: 'on-off', default: 'On' },
    ...placeFields,
    parameter: {
      type: 'string',
      lengthMax: 512,
      pattern: notBlank,
      required: true,
      description:
        'The name of the parameter, a.b for the member b of a in JSON; "*" stands for any characters.',
    },
    comments: { type: 'string', lengthMax: 256 },
  },
} as const satisfies Kind
