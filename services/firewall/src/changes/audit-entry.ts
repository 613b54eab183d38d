import type { AuditEntry } from '@palisade/platform'
import type { AuditedChange } from '../logs/audit-log.ts'

/** How entries call what changes something in nobody's name: the configuration file at a start, and renewals. */
const systems: ReadonlySet<string> = new Set(['(configuration file)', '(certificate renewal)'])

/** A change as the installation's own audit log has it, beside that of the firewall's API. Its members arrive masked. */
export function auditEntry(change: AuditedChange): AuditEntry {
  const { admin, address, changeType, objectType, objectName, variables } = change
  const members = (value: (one: (typeof variables)[number]) => string) =>
    Object.fromEntries(variables.map((one) => [one.variable, value(one)]))
  return {
    actor: {
      kind: systems.has(admin) ? 'system' : 'administrator',
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
