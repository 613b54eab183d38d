import type { LogType } from './log-type.ts'

/** Connections that a network ACL let through or refused. */
export const networkFirewallLog = {
  name: 'network-firewall',
  title: 'Network Firewall Logs',
  segment: 'network-firewall-logs',
  description: 'Connections that a network ACL let through or refused.',
  fields: {
    id: 'text',
    time: 'time',
    'source-ip': 'listed-text',
    'source-port': 'number',
    'destination-ip': 'listed-text',
    'destination-port': 'number',
    protocol: 'choice',
    'country-code': 'choice',
    'acl-name': 'text',
    'acl-policy': 'choice',
  },
  neverWritten:
    'Nothing writes this log: network ACLs are kept, and let nothing through and keep nothing out.',
  olderParameters: {
    bson_oid: 'id',
    timestamp: 'time',
    acl_id: 'acl-name',
    src_ip: 'source-ip',
    src_port: 'source-port',
    country_code: 'country-code',
    dest_ip: 'destination-ip',
    dest_port: 'destination-port',
    acl_protocol: 'protocol',
    acl_action: 'acl-policy',
  },
} as const satisfies LogType
