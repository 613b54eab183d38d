import type { StoredLog } from './columns.ts'
import { timeOfEntry } from './entry-ids.ts'
import type { LogEntry, LogName } from './log-types.ts'

const id = '19bf3a5c8e1-00002a7c01'
const time = String(timeOfEntry(id))

const client = { 'client-ip': '192.0.2.20', 'client-port': '51234' }
const service = { 'service-name': 'shop', 'service-ip': '192.0.2.10', 'service-port': '443' }

/** What is not empty in the entry that the OpenAPI document shows of each log. */
const examples: { readonly [Name in LogName]: LogEntry<Name> } = {
  access: {
    ...client,
    ...service,
    'server-ip': '198.51.100.7',
    'server-port': '8080',
    method: 'GET',
    protocol: 'HTTPS',
    version: 'HTTP/1.1',
    'http-status': '200',
    host: 'shop.example.com',
    url: '/index.html',
    'bytes-sent': '5120',
    'bytes-received': '430',
    'time-taken': '12',
    cached: 'No',
    protected: 'PROTECTED',
    'response-type': 'SERVER',
    'web-firewall-matched': 'VALID',
  },
  'web-firewall': {
    ...client,
    ...service,
    severity: 'Critical',
    action: 'DENY',
    attack: 'SQL Injection',
    'attack-category': 'Injection Attacks',
    rule: '942100',
    'rule-type': 'Core Rule Set',
    'rule-target': 'ARGS:q',
    method: 'GET',
    protocol: 'HTTPS',
    host: 'shop.example.com',
    url: '/search',
    'query-string': 'q=1%27+or+1%3D1',
  },
  audit: {
    admin: 'admin',
    role: 'admin',
    'login-ip': '192.0.2.30',
    'client-type': 'REST API',
    'transaction-id': '12',
    'transaction-type': 'Config',
    'change-type': 'Modify',
    'object-type': 'Service',
    'object-name': 'shop',
    variable: 'session-timeout',
    'old-value': '60',
    'new-value': '300',
  },
  'network-firewall': {
    'source-ip': '192.0.2.20',
    'source-port': '51234',
    'destination-ip': '192.0.2.10',
    'destination-port': '22',
    protocol: 'TCP',
    'acl-name': 'no-ssh',
    'acl-policy': 'DENY',
  },
  system: {
    module: 'Export Logs',
    'event-id': '1',
    severity: 'Warning',
    message: '12 log entries were not sent to logs.example.com, port 514, which was away for too long.',
  },
}

/** An entry with every field of the log, as replies show it: fields of which nothing is known are empty. */
export function exampleEntryOf({ name, fields }: StoredLog): Readonly<Record<string, string>> {
  const example: Readonly<Record<string, unknown>> = { ...examples[name], id, time }
  return Object.fromEntries(Array.from(fields.keys(), (field) => [field, String(example[field] ?? '')]))
}
