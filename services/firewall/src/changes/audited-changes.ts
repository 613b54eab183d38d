import type { AuditedChange } from '../logs/audit-log.ts'
import type { Author } from './author.ts'
import type { MemberChange } from './members.ts'
import type { Plan } from './plan.ts'

const changeTypes = { create: 'Add', update: 'Modify', delete: 'Delete', import: 'Set' } as const

/** What the audit log says of a plan: what becomes of its object, and then what is created beside it. */
export function auditedChanges(
  { username, role, address }: Author,
  version: number,
  { action, object, changes, createdBeside = [] }: Plan,
): AuditedChange[] {
  const audited = (
    how: Plan['action'],
    { kind, path }: Plan['object'],
    members: readonly MemberChange[],
  ): AuditedChange => ({
    admin: username,
    role,
    address,
    transactionType: how === 'import' ? 'Restore' : 'Config',
    transactionId: String(version),
    changeType: changeTypes[how],
    objectType: kind.title,
    objectName: path.join('/'),
    variables: members.map(({ section, member, before, after }) => ({
      variable: section === undefined ? member : `${section}: ${member}`,
      oldValue: auditedValue(before),
      newValue: auditedValue(after),
    })),
  })
  return [
    audited(action, object, changes),
    ...createdBeside.map((created) => audited('create', created, created.changes)),
  ]
}

function auditedValue(value: MemberChange['before']): string {
  return Array.isArray(value) ? value.join(', ') : String(value ?? '')
}
