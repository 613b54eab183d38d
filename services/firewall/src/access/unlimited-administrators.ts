import type { Collection, ConfigurationObject } from '../objects/configuration-object.ts'
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
  return namesOfUnlimited(users, roles).length > 0
}

/** The names of those who may change everything. */
export function namesOfUnlimited(
  users: Iterable<ConfigurationObject>,
  roles: Collection | undefined,
): string[] {
  return Array.from(users)
    .filter(({ content }) => isUnlimited(roles?.get(String(content.values.role ?? ''))))
    .map(({ name }) => name)
}

/** Whether whoever has the role may change everything. */
export function isUnlimited(role: Pick<ConfigurationObject, 'content'> | undefined): boolean {
  return role !== undefined && new Permissions(role.content.values).isUnlimited
}
