import type { Section } from '../../../kinds/kind.ts'

export const loadBalancing = {
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
