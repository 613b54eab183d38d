import type { Section } from '../../../kinds/kind.ts'

export const sessionTracking = {
  title: 'Session Tracking',
  description: '',
  fields: {
    'exception-clients': { type: 'string' },
    identifiers: {
      type: 'list',
      of: {
        type: 'choice',
        values: [
          'ASP-DOT-NET-session',
          'ASPSESSIONID-session',
          'ColdFusion-session',
          'J2EE-JSESSIONID-Cookie-session',
          'J2EE-JSESSIONID-URL-session',
          'J2EE-session',
          'JWS-ID-session',
          'PHP-BB-MYSQL-session',
          'PHPSESSID-session',
          'PHPSESSIONID-session',
          'SAP-session',
        ],
      },
    },
    'max-interval': { type: 'integer', min: 1, max: 3600, default: 60 },
    'max-sessions-per-ip': { type: 'integer', min: 1, max: 65_535 },
    status: { type: 'on-off', default: 'Off' },
  },
} as const satisfies Section
