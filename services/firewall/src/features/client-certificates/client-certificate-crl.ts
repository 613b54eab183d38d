import type { Kind } from '../../kinds/kind.ts'
import { absoluteUrl, objectName, timeOfDay } from '../../kinds/patterns.ts'

/**
 * A list of revoked certificates (CRL, RFC 5280) that a service downloads. Clients that show a certificate on it
 * are refused, where the service asks for certificates at all, and so are those about whose certificates no list says anything.
 */
export const clientCertificateCrl = {
  name: 'client-certificate-crl',
  title: 'SSL CRL',
  description: 'A list of revoked client certificates, downloaded from the authority that revokes them.',
  path: 'client-certificate-crls',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 60, pattern: objectName, required: true },
    url: {
      type: 'string',
      lengthMax: 1024,
      pattern: absoluteUrl,
      required: true,
      description: 'Where the list is downloaded from.',
    },
    'auto-update': {
      type: 'yes-no',
      description: 'Whether the list is downloaded again from time to time, and when it has expired.',
    },
    'auto-update-type': { type: 'choice', values: ['Daily', 'Monthly', 'Weekly'] },
    'date-of-month': {
      type: 'integer',
      min: 1,
      max: 31,
      description: 'The day of monthly updates; in a month that is shorter, its last one.',
    },
    'day-of-week': {
      type: 'choice',
      values: ['Friday', 'Monday', 'Saturday', 'Sunday', 'Thursday', 'Tuesday', 'Wednesday'],
      description: 'The day of weekly updates.',
    },
    enable: { type: 'yes-no', description: 'Whether the list is obeyed.' },
    'number-of-retries': {
      type: 'integer',
      min: 1,
      max: 3,
      description:
        'How often an update that failed is tried again, a minute apart. While there is no list that counts, it is tried every five minutes.',
    },
    'time-of-day': {
      type: 'string',
      lengthMax: 29,
      pattern: timeOfDay,
      description: 'When updates begin, in UTC.',
    },
  },
} as const satisfies Kind
