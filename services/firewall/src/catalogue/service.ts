import type { Kind } from '../kinds/kind.ts'
import { applicationId, objectName, parameterNames } from '../kinds/patterns.ts'

/** A protected web application: where clients reach it, and how its traffic is guarded. */
export const service = {
  name: 'service',
  title: 'Service',
  description: 'A protected web application.',
  path: 'services',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, pattern: objectName, required: true },
    type: {
      type: 'choice',
      values: ['HTTP', 'HTTPS', 'Instant SSL', 'Redirect Service', 'Custom', 'Custom SSL', 'FTP', 'FTP SSL'],
      default: 'HTTP',
    },
    status: { type: 'on-off', default: 'On' },
    'ip-address': { type: 'ip-address', version: 'address-version' },
    mask: { type: 'netmask' },
    port: { type: 'integer', min: 1, max: 65_535, default: 80 },
    'address-version': { type: 'choice', values: ['IPv4', 'IPv6'], default: 'IPv4', createOnly: true },
    vsite: { type: 'reference', to: 'vsite', default: 'default', createOnly: true },
    group: {
      type: 'reference',
      to: 'service-group',
      within: ['vsite'],
      default: 'default',
      createOnly: true,
    },
    certificate: { type: 'string', description: 'The name of the certificate that clients are shown.' },
    'ecdsa-certificate': { type: 'string' },
    'secure-site-domain': { type: 'list', of: { type: 'string' } },
    'app-id': { type: 'string', lengthMax: 63, pattern: applicationId },
    comments: { type: 'string' },
    'session-timeout': { type: 'integer', min: 0, max: 86_400, default: 60, unit: 'seconds' },
    'enable-access-logs': { type: 'yes-no', default: 'Yes' },
    'enable-loopback-adapter': { type: 'yes-no' },
    'dps-enabled': { type: 'yes-no', writeOnly: true },
  },
  sections: {
    'sensitive-parameter-names': {
      title: 'Mask Sensitive Data',
      description: 'Parameters whose values are overwritten with X before a request is logged.',
      fields: {
        'sensitive-parameter-names': {
          type: 'string',
          lengthMin: 1,
          lengthMax: 1024,
          pattern: parameterNames,
        },
      },
    },
    'slow-client-attack': {
      title: 'Slow Client Attack Prevention',
      description: 'How slowly a client may send a request or take a response.',
      fields: {
        status: { type: 'on-off', default: 'Off' },
        'data-transfer-rate': { type: 'integer', min: 1, max: 1024, default: 10, unit: 'KB/s' },
        'incremental-request-timeout': {
          type: 'integer',
          min: 1,
          max: 600,
          default: 30,
          unit: 'seconds',
          description: 'Time for a request, which grows as long as the client keeps the rate.',
        },
        'max-request-timeout': {
          type: 'integer',
          min: 0,
          max: 3600,
          default: 600,
          unit: 'seconds',
          description: 'Longest time for one whole request.',
        },
        'incremental-response-timeout': {
          type: 'integer',
          min: 1,
          max: 600,
          default: 30,
          unit: 'seconds',
          description: 'Time for a response, which grows as long as the client keeps the rate.',
        },
        'max-response-timeout': {
          type: 'integer',
          min: 0,
          max: 3600,
          default: 600,
          unit: 'seconds',
          description: 'Longest time for one whole response.',
        },
        'exception-clients': { type: 'string', description: 'Addresses of clients that are exempt.' },
      },
    },
    'url-encryption': {
      title: 'URL Encryption',
      description: 'Whether the URL encryption rules of the service are followed.',
      fields: { status: { type: 'on-off', default: 'Off' } },
    },
  },
} as const satisfies Kind
