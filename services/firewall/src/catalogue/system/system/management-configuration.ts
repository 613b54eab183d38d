import type { Section } from '../../../kinds/kind.ts'
import { administrationAccess, gatewayFields, interfaceFields } from './interface-fields.ts'

export const managementConfiguration = {
  title: 'Management Configuration',
  description: 'The interface that carries no traffic of users, for administrators alone.',
  fields: {
    ...interfaceFields,
    ...gatewayFields,
    'allow-administration-access': administrationAccess('No'),
  },
} as const satisfies Section
