import type { LogType } from './log-type.ts'

/** What happened to the firewall itself. */
export const systemLog = {
  name: 'system',
  title: 'System Logs',
  segment: 'system-logs',
  description: 'What happened to the firewall itself.',
  fields: {
    id: 'text',
    time: 'time',
    module: 'choice',
    'event-id': 'number',
    severity: 'choice',
    message: 'text',
  },
  olderParameters: {
    bson_oid: 'id',
    timestamp: 'time',
    module_name: 'module',
    event_id: 'event-id',
    sev_level: 'severity',
    log_msg: 'message',
  },
} as const satisfies LogType
