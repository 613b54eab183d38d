import type { Kind } from '../../kinds/kind.ts'

/** Asked over RADIUS (RFC 2865). Another address or port needs the shared secret once more. */
export const externalRadiusService = {
  name: 'external-radius-service',
  title: 'External RADIUS Service',
  description: 'A RADIUS server with whose accounts administrators log in.',
  path: 'external-radius-services',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 255, required: true },
    'default-role': {
      type: 'reference',
      to: 'administrator-role',
      required: true,
      description: 'The role of whoever logs in by this server.',
    },
    'server-ip': { type: 'ip-address', required: true },
    port: { type: 'integer', min: 1, max: 65_535 },
    'shared-secret': { type: 'string', lengthMax: 1024, writeOnly: true, sentTo: ['server-ip', 'port'] },
    timeout: {
      type: 'integer',
      min: 1,
      max: 30,
      unit: 'seconds',
      description: 'How long an answer is waited for.',
    },
  },
} as const satisfies Kind
