import { randomUUID } from 'node:crypto'
import type { AdministrationTables } from '../tables.ts'

/** A notification that nobody has sent yet. */
export function notificationOf(
  row: Pick<
    AdministrationTables['admin_notification'],
    'channel' | 'kind' | 'attention_id' | 'created_at' | 'due_at'
  >,
): AdministrationTables['admin_notification'] {
  return { id: randomUUID(), delivery: null, sent_at: null, ...row }
}
