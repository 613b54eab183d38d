import type { Kind } from '../../kinds/kind.ts'
import { objectName } from '../../kinds/patterns.ts'

/** A part of the firewall with its own service groups, which keeps the services of several owners apart. */
export const vsite = {
  name: 'vsite',
  title: 'Vsite',
  description: 'A virtual site: groups services by the interface that they are reached on.',
  path: 'vsites',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, pattern: objectName, required: true },
    interface: { type: 'choice', values: ['LAN', 'WAN'], required: true, createOnly: true },
    'active-on': {
      type: 'string',
      lengthMax: 64,
      description: 'The unit of the cluster that serves the virtual site.',
    },
    comments: { type: 'string' },
  },
  factory: [{ path: ['default'], fields: { interface: 'WAN' } }],
} as const satisfies Kind
