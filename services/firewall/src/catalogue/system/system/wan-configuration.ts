import type { Section } from '../../../kinds/kind.ts'
import { administrationAccess, gatewayFields, interfaceFields } from './interface-fields.ts'

export const wanConfiguration = {
  title: 'WAN Configuration',
  description: 'The interface to the network from which users come.',
  fields: {
    ...interfaceFields,
    ...gatewayFields,
    'allow-administration-access': administrationAccess('Yes'),
  },
} as const satisfies Section
