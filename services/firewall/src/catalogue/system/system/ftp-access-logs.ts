import type { Section } from '../../../kinds/kind.ts'

/** 00:00 to 23:00. */
const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`)

/** Nothing is sent as long as there is no server. */
export const ftpAccessLogs = {
  title: 'FTP Access Logs',
  description: 'The FTP server to which access logs are copied, and how often.',
  fields: {
    'destination-directory-path': { type: 'string', lengthMax: 1024 },
    frequency: {
      type: 'choice',
      values: [
        'Daily',
        'Every 15min',
        'Every 30min',
        'Every Eight Hours',
        'Every Four Hours',
        'Every Hour',
        'Every Six Hours',
        'Every Twelve Hours',
        'Every Two Hours',
        'Never',
      ],
      default: 'Daily',
    },
    'logs-format': {
      type: 'string',
      lengthMax: 1024,
      default: '%h %id %u %t %r %s %br',
      description: 'What each line has, where the format is a customized one.',
    },
    password: { type: 'string', lengthMax: 1024, writeOnly: true, sentTo: ['server-ip', 'port'] },
    port: { type: 'integer', min: 1, max: 65_536, default: 21 },
    'server-ip': { type: 'ip-address' },
    'standard-log-formats': {
      type: 'choice',
      values: ['Customized Formats', 'Standard Formats'],
      default: 'Standard Formats',
    },
    'start-time': { type: 'choice', values: hours, description: 'When the first copy of a day is made.' },
    username: { type: 'string', lengthMax: 255 },
  },
} as const satisfies Section
