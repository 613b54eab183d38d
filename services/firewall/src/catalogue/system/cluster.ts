import type { Kind } from '../../kinds/kind.ts'

const noOtherNode = 'Always empty: there is no other node.'

/**
 * Two systems that watch each other by heartbeats: the active one carries the traffic, and the other takes over
 * when it falls silent.
 */
export const cluster = {
  name: 'cluster',
  title: 'Cluster',
  description: 'The systems that share one configuration and stand in for each other.',
  path: 'cluster',
  fields: {
    'cluster-name': { type: 'string', lengthMax: 255 },
    'cluster-shared-secret': {
      type: 'string',
      lengthMax: 1024,
      writeOnly: true,
      description: 'What systems have to know to be let in.',
    },
    'data-path-failure-action': {
      type: 'choice',
      values: ['Attempt recovery', 'Failover'],
      description: 'What is done when the part that carries traffic fails.',
    },
    'failback-mode': {
      type: 'choice',
      values: ['Automatic', 'Manual'],
      description: 'Whether traffic returns by itself to the system that failed, once it is well.',
    },
    'heartbeat-count-per-interface': {
      type: 'integer',
      min: 1,
      max: 200,
      description: 'How many heartbeats may be missing before the other system takes over.',
    },
    'heartbeat-frequency': { type: 'integer', min: 1, max: 100 },
    'monitor-link': {
      type: 'choice',
      values: ['LAN', 'MGMT', 'WAN'],
      description: 'The interface whose loss counts as a failure.',
    },
    'transmit-heartbeat-on': { type: 'choice', values: ['LAN', 'MGMT', 'WAN'] },
    'vx-aa-enable': {
      type: 'choice',
      values: ['Disable', 'Enable'],
      description: 'Whether virtual systems carry traffic side by side, so that none is only a stand-in.',
    },
  },
  sections: {
    nodes: {
      title: 'Nodes',
      description: 'The other system of the cluster.',
      operations: ['read', 'create', 'update'],
      fields: {
        'ip-address': { type: 'ip-address' },
        operation: {
          type: 'choice',
          values: ['failover', 'failback'],
          transient: true,
          description: 'Asks for the work to go over to the other system, or back.',
        },
        mode: { type: 'string', readOnly: true, description: noOtherNode },
        serial: { type: 'string', readOnly: true, description: noOtherNode },
      },
    },
  },
} as const satisfies Kind
