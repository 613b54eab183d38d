import type { Kind } from '../../kinds/kind.ts'
import { permission } from '../../kinds/patterns.ts'
import { factoryRoles } from './administrator-role/factory-roles.ts'
import { roleOperations } from './administrator-role/operations.ts'

const permissions = {
  type: 'list',
  of: { type: 'string', lengthMax: 300, pattern: permission },
} as const

/**
 * What is in no list may not be done. `objects` says which parts of the API, the others to which of their objects
 * that extends; writing includes reading, and _ALL_ stands for all of them.
 */
export const administratorRole = {
  name: 'administrator-role',
  title: 'Administrator Role',
  description: 'What administrators who have the role may read, change and do.',
  path: 'administrator-roles',
  wrappedInOlderVersions: 'Admin Role',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'api-privilege': { type: 'yes-no', description: 'Whether the API may be used.' },
    'authentication-services': {
      ...permissions,
      description: 'Authentication services, and internal for the local users.',
    },
    objects: {
      ...permissions,
      description: 'Collections and sections by their addresses: services:read, system/dns:write.',
    },
    operations: {
      type: 'list',
      of: { type: 'choice', values: roleOperations },
      description: 'What may be done beside reading and changing the configuration.',
    },
    'role-type': { type: 'string', readOnly: true, description: 'Factory, or Custom for added roles.' },
    'security-policies': permissions,
    'service-groups': permissions,
    services: permissions,
    vsites: permissions,
  },
  factory: factoryRoles,
} as const satisfies Kind
