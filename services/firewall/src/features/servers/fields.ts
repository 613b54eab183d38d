import type { Section } from '../../kinds/kind.ts'

/** Times are in milliseconds; 0 is no limit where the field takes it. */
export const serverConnections = {
  title: 'Advanced Configuration',
  description: 'How many connections and requests a server is given at once, and from which address.',
  fields: {
    'client-impersonation': {
      type: 'yes-no',
      default: 'No',
      description: "Whether the server sees the client's address in the place of the firewall's.",
    },
    'source-ip-to-connect': {
      type: 'ip-address',
      description: "The firewall's address from which the server is reached.",
    },
    'max-connections': { type: 'integer', min: 0, max: 500_000, default: 10_000 },
    'max-establishing-connections': { type: 'integer', min: 1, max: 3096, default: 100 },
    'max-requests': {
      type: 'integer',
      min: 0,
      max: 3096,
      default: 1000,
      description: 'Requests that wait for the server at once; 0 for any number.',
    },
    'max-keepalive-requests': {
      type: 'integer',
      min: 0,
      max: 65_535,
      default: 0,
      description: 'Requests after which a connection is closed; 0 for any number.',
    },
    'max-spare-connections': { type: 'integer', min: 0, max: 3096, default: 0 },
    timeout: {
      type: 'integer',
      min: 0,
      max: 86_400_000,
      default: 300_000,
      unit: 'milliseconds',
      description: 'How long an answer is waited for.',
    },
  },
} as const satisfies Section

/** Where it is switched off, proxies are told a time of 0. */
export const connectionPooling = {
  title: 'Connection Pooling',
  description: 'Whether connections to the server are kept for the requests of other clients.',
  fields: {
    'enable-connection-pooling': { type: 'yes-no', default: 'Yes' },
    'keepalive-timeout': {
      type: 'integer',
      min: 0,
      max: 86_400_000,
      default: 900_000,
      unit: 'milliseconds',
      description: 'How long a connection may be idle before it is closed.',
    },
  },
} as const satisfies Section

/** Weights count with the algorithm "Weighted Round Robin". */
export const serverWeight = {
  title: 'Load Balancing',
  description: 'How much of the traffic a server gets.',
  fields: {
    'backup-server': {
      type: 'yes-no',
      default: 'No',
      description: 'Whether the server is used only while no other one is in service.',
    },
    weight: {
      type: 'integer',
      min: 0,
      max: 65_535,
      default: 1,
      description: 'Its part of the requests, in proportion to the weights of the others.',
    },
  },
} as const satisfies Section
