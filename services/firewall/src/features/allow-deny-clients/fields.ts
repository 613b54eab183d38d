import type { Kind } from '../../kinds/kind.ts'
import { objectName } from '../../kinds/patterns.ts'

const partOfSubject = { type: 'string', lengthMax: 255 } as const

/**
 * Sorts out clients by the certificate that they show. An attribute that is left out fits every certificate; the
 * first rule that fits decides.
 */
export const allowOrDenyClient = {
  name: 'allow-or-deny-client',
  title: 'Allow or Deny Client',
  description: 'Lets clients in or keeps them out by what their certificate says.',
  path: 'allow-deny-clients',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, pattern: objectName, required: true },
    status: { type: 'on-off' },
    action: { type: 'choice', values: ['Allow', 'Deny'] },
    sequence: {
      type: 'integer',
      min: 1,
      max: 10_000,
      description: 'Rules with lower numbers are tried first.',
    },
    'common-name': partOfSubject,
    'organizational-unit': partOfSubject,
    organization: partOfSubject,
    locality: partOfSubject,
    state: partOfSubject,
    country: partOfSubject,
    'certificate-serial': { type: 'string', lengthMax: 64 },
  },
} as const satisfies Kind
