import type { Kind } from '../../kinds/kind.ts'
import { objectName } from '../../kinds/patterns.ts'

/** Several ports that act as one, for more throughput or so that one may fail. */
export const bond = {
  name: 'bond',
  title: 'Bond',
  description: 'An interface made of several network ports.',
  path: 'bonds',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, pattern: objectName, required: true },
    'bond-ports': {
      type: 'list',
      of: { type: 'reference', to: 'network-interface' },
      shownAs: 'text',
      required: true,
    },
    duplexity: { type: 'choice', values: ['Automatic', 'Full', 'Half'] },
    'min-link': {
      type: 'integer',
      min: 0,
      max: 10,
      description: 'How many ports have to be up for the bond to be up.',
    },
    mode: {
      type: 'choice',
      values: ['Active-Backup', 'Dynamic Link Aggregation', 'Round Robin'],
      description:
        'Whether one port works and the others wait, all work as agreed upon with the switch (LACP, IEEE 802.1AX), or all in turn.',
    },
    mtu: {
      type: 'integer',
      min: 68,
      max: 9216,
      unit: 'bytes',
      description: 'The longest packet; more than 1500 only where the whole network takes it.',
    },
    speed: {
      type: 'choice',
      values: ['10', '100', '1000', '10000', 'Automatic'],
      description: 'In megabits per second.',
    },
  },
} as const satisfies Kind
