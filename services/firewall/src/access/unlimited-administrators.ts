import type { Collection } from '../objects/collection.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { Permissions } from './permissions.ts'

/**
 * Whether somebody may change everything.
 *
 * @param users the administrators there are to be, and the roles
 */
export function somebodyIsUnlimited(
  users: Iterable<ConfigurationObject>,
  roles: Collection | undefined,
): boolean {
  return Array.from(users).some(({ content }) => isUnlimited(roles?.get(String(content.values.role ?? ''))))
}

/** Whether whoever has the role may change everything. */
export function isUnlimited(role: Pick<ConfigurationObject, 'content'> | undefined): boolean {
  return role !== undefined && new Permissions(role.content.values).isUnlimited
}
