import { RequestRefused } from '@palisade/platform'
import { Type } from 'typebox'
import type { AdministeredRow } from '../tables.ts'

const moment = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])

/** What is shown of when something was deleted. */
export const deletionMembers = {
  deletedAt: moment,
  purgeAt: { ...moment, description: 'until then it can be taken back; then what it has is removed' },
  managedBy: Type.Union([Type.String(), Type.Null()]),
}

/** The filter of a listing, for its OpenAPI document. */
export const deletedFilter = { deleted: 'true for what was deleted and can be taken back; false by default' }

/** @throws RequestRefused bad-request unless it is true or false */
export function showsDeleted({ deleted = 'false' }: Readonly<Record<string, string>>): boolean {
  if (deleted === 'true' || deleted === 'false') return deleted === 'true'
  throw new RequestRefused('bad-request', 'deleted must be true or false.', { field: 'deleted' })
}

/** {@link deletionMembers} of a row. */
export function deletionOf({ deleted_at, purge_at, managed_by }: AdministeredRow) {
  return { deletedAt: dateOrNull(deleted_at), purgeAt: dateOrNull(purge_at), managedBy: managed_by }
}

/** @param atMs milliseconds since 1970 */
export function dateOrNull(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString()
}
