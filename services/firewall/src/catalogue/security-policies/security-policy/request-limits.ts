import type { Section } from '../../../kinds/kind.ts'

export const requestLimits = {
  title: 'Request Limits',
  description: '',
  fields: {
    enable: { type: 'yes-no', default: 'Yes' },
    'max-cookie-name-length': { type: 'integer', min: 1, max: 1024, default: 64 },
    'max-cookie-value-length': { type: 'integer', min: 1, max: 32_768, default: 4096 },
    'max-header-name-length': { type: 'integer', min: 1, max: 1024, default: 32 },
    'max-header-value-length': { type: 'integer', min: 1, max: 65_536, default: 1024 },
    'max-number-of-cookies': { type: 'integer', min: 1, max: 1024, default: 40 },
    'max-number-of-headers': { type: 'integer', min: 1, max: 256, default: 20 },
    'max-query-length': { type: 'integer', min: 1, max: 60_000, default: 4096 },
    'max-request-length': { type: 'integer', min: 1, max: 65_536, default: 32_768 },
    'max-request-line-length': { type: 'integer', min: 1, max: 65_536, default: 4096 },
    'max-url-length': { type: 'integer', min: 1, max: 131_072, default: 4096 },
  },
} as const satisfies Section
