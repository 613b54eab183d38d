import type { AuditEntry } from '@palisade/platform'
import type { AuditedChange } from '../logs/audit-log.ts'

/** How entries call the configuration file, in whose name a start changes something. */
const configurationFile = '(configuration file)'

/** A change as the installation's own audit log has it, beside that of the firewall's API. Its members arrive masked. */
export function auditEntry(change: AuditedChange): AuditEntry {
  const { admin, address, changeType, objectType, objectName, variables } = change
  const members = (value: (one: (typeof variables)[number]) => string) =>
    Object.fromEntries(variables.map((one) => [one.variable, value(one)]))
  return {
    actor: {
      kind: admin === configurationFile ? 'system' : 'administrator',
      name: admin,
      address: address || null,
    },
    service: 'firewall',
    action: `${changeType.toLowerCase()}${objectType.replaceAll(' ', '')}`,
    target: `/firewall/${objectName}`,
    before: changeType === 'Add' ? null : members(({ oldValue }) => oldValue),
    after: changeType === 'Delete' ? null : members(({ newValue }) => newValue),
  }
}
