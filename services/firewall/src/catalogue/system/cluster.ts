import type { Kind } from '../../kinds/kind.ts'

export const cluster = {
  name: 'cluster',
  title: 'Cluster',
  description: '',
  path: 'cluster',
  fields: {
    'cluster-name': { type: 'string' },
    'cluster-shared-secret': { type: 'string', writeOnly: true },
    'data-path-failure-action': { type: 'choice', values: ['Attempt recovery', 'Failover'] },
    'failback-mode': { type: 'choice', values: ['Automatic', 'Manual'] },
    'heartbeat-count-per-interface': { type: 'integer', min: 1, max: 200 },
    'heartbeat-frequency': { type: 'integer', min: 1, max: 100 },
    'monitor-link': { type: 'choice', values: ['LAN', 'MGMT', 'WAN'] },
    'transmit-heartbeat-on': { type: 'choice', values: ['LAN', 'MGMT', 'WAN'] },
    'vx-aa-enable': { type: 'choice', values: ['Disable', 'Enable'] },
  },
  sections: {
    nodes: {
      title: 'Nodes',
      description: '',
      fields: {
        'ip-address': { type: 'ip-address' },
        mode: { type: 'string', readOnly: true },
        serial: { type: 'string', readOnly: true },
      },
    },
  },
} as const satisfies Kind
