import type { Kind } from '../../kinds/kind.ts'
import { parameterClasses } from '../parameter-classes/parameter-classes.ts'

/** The nth class belongs to the nth parameter. */
export const formSpamForm = {
  name: 'form-spam-form',
  title: 'Form Spam',
  description: 'A form of the application that is protected from programs that fill it in.',
  path: 'form-spam-forms',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'action-url': {
      type: 'string',
      lengthMax: 5000,
      required: true,
      createOnly: true,
      description: 'Where the form is sent.',
    },
    'created-by': {
      type: 'string',
      readOnly: true,
      description: 'Always empty: who created a form stands in the audit log.',
    },
    'minimum-form-fill-time': {
      type: 'integer',
      min: 1,
      max: 1024,
      unit: 'seconds',
      description: 'Whoever sends the form sooner is taken for a program.',
    },
    mode: {
      type: 'choice',
      description: 'Passive records violations, Active blocks them, Learning finds out what the form has.',
      values: ['Active', 'Learning', 'Passive'],
    },
    'parameter-class': { type: 'list', of: { type: 'choice', values: parameterClasses } },
    'parameter-name': { type: 'list', of: { type: 'string', lengthMax: 512 } },
    status: { type: 'on-off' },
  },
} as const satisfies Kind
