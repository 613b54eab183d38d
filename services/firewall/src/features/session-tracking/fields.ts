import type { Section } from '../../kinds/kind.ts'
import { addressRanges } from '../../kinds/patterns.ts'

/** How the session's tokens of widespread servers are recognised, the firewall knows itself. */
const knownIdentifiers = [
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
] as const

/** Counts nothing as long as `max-sessions-per-ip` is left out. */
export const sessionTracking = {
  title: 'Session Tracking',
  description: 'How many new sessions one client may begin in a while.',
  fields: {
    status: { type: 'on-off', default: 'Off' },
    'max-sessions-per-ip': {
      type: 'integer',
      min: 1,
      max: 65_535,
      description: 'In one interval. Left out, any number.',
    },
    'max-interval': { type: 'integer', min: 1, max: 3600, default: 60, unit: 'seconds' },
    identifiers: {
      type: 'list',
      of: { type: 'reference', to: 'session-identifier', orOneOf: knownIdentifiers },
      description: 'What a session is recognised by.',
    },
    'exception-clients': {
      type: 'string',
      pattern: addressRanges,
      description: 'Addresses of clients that are exempt.',
    },
  },
} as const satisfies Section
