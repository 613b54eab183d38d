import type { LogType } from './log-type.ts'

/** What administrators did: one entry for each member that a change of the configuration touched, and logins. */
export const auditLog = {
  name: 'audit',
  title: 'Audit Logs',
  segment: 'audit-logs',
  description: 'What administrators did: one entry for each member that a change touched, and logins.',
  fields: {
    id: 'text',
    time: 'time',
    admin: 'text',
    role: 'shown',
    'login-ip': 'listed-text',
    'client-type': 'shown',
    'transaction-id': 'shown',
    'transaction-type': 'choice',
    'change-type': 'choice',
    'object-type': 'text',
    'object-name': 'text',
    variable: 'text',
    'old-value': 'text',
    'new-value': 'text',
    'additional-data': 'shown',
  },
  olderParameters: {
    bson_oid: 'id',
    timestamp: 'time',
    login_ip: 'login-ip',
    admin_name: 'admin',
    txn_name: 'transaction-type',
    chg_name: 'change-type',
    obj_type: 'object-type',
    obj_name: 'object-name',
    variable: 'variable',
    old_value: 'old-value',
    new_value: 'new-value',
  },
} as const satisfies LogType
