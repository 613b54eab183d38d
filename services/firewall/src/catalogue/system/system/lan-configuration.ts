import type { Section } from '../../../kinds/kind.ts'
import { administrationAccess, interfaceFields } from './interface-fields.ts'

export const lanConfiguration = {
  title: 'LAN Configuration',
  description: 'The interface to the network in which the protected servers are.',
  fields: {
    ...interfaceFields,
    'allow-administration-access': administrationAccess('No'),
  },
} as const satisfies Section
