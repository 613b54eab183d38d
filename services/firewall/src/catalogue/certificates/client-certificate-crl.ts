import type { Kind } from '../../kinds/kind.ts'

export const clientCertificateCrl = {
  name: 'client-certificate-crl',
  title: 'SSL CRL',
  description: '',
  path: 'client-certificate-crls',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 60, required: true },
    url: { type: 'string', required: true },
    'auto-update': { type: 'yes-no' },
    'auto-update-type': { type: 'choice', values: ['Daily', 'Monthly', 'Weekly'] },
    'date-of-month': { type: 'string' },
    'day-of-week': {
      type: 'choice',
      values: ['Friday', 'Monday', 'Saturday', 'Sunday', 'Thursday', 'Tuesday', 'Wednesday'],
    },
    enable: { type: 'yes-no' },
    'number-of-retries': { type: 'integer', min: 1, max: 3 },
    'time-of-day': { type: 'string', lengthMax: 29 },
  },
} as const satisfies Kind
