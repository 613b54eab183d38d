import type { Section } from '../../kinds/kind.ts'

/** Sizes in bytes, so that nobody overflows what the servers set aside for them. */
export const requestLimits = {
  title: 'Request Limits',
  description: 'Limits the size of the parts of a request before its body.',
  fields: {
    enable: { type: 'yes-no', default: 'Yes' },
    'max-cookie-name-length': { type: 'integer', min: 1, max: 1024, unit: 'bytes', default: 64 },
    'max-cookie-value-length': { type: 'integer', min: 1, max: 32_768, unit: 'bytes', default: 4096 },
    'max-header-name-length': { type: 'integer', min: 1, max: 1024, unit: 'bytes', default: 32 },
    'max-header-value-length': { type: 'integer', min: 1, max: 65_536, unit: 'bytes', default: 1024 },
    'max-number-of-cookies': { type: 'integer', min: 1, max: 1024, default: 40 },
    'max-number-of-headers': { type: 'integer', min: 1, max: 256, default: 20 },
    'max-query-length': { type: 'integer', min: 1, max: 60_000, unit: 'bytes', default: 4096 },
    'max-request-length': {
      type: 'integer',
      min: 1,
      max: 65_536,
      unit: 'bytes',
      default: 32_768,
      description: 'Of the request line and all headers together.',
    },
    'max-request-line-length': { type: 'integer', min: 1, max: 65_536, unit: 'bytes', default: 4096 },
    'max-url-length': {
      type: 'integer',
      min: 1,
      max: 131_072,
      unit: 'bytes',
      default: 4096,
      description: 'Without the query.',
    },
  },
} as const satisfies Section
