import { isDeepStrictEqual } from 'node:util'
import type { Configuration } from '../configuration/schema.ts'

/** What a service provisions, by the part of the configuration. */
export const provisionedMembers = {
  firewall: ['administrators', 'acme'],
  administration: ['operators', 'notifications', 'openid', 'publicUrl'],
  awareness: ['users', 'apiKeys', 'campaigns'],
  backup: ['accounts', 'apiClients'],
  email: ['accounts', 'apiClients'],
} as const satisfies { readonly [Part in keyof Configuration]?: readonly (keyof Configuration[Part])[] }

/** The parts of the configuration that are written to the database, at a start and at a reload. */
export type ProvisionedPart = keyof typeof provisionedMembers

/** What else counts without a restart. */
const otherMembers = ['log.level', 'firewall.certificate', 'services.certificate']

const reloadable = new Set([
  ...Object.entries(provisionedMembers).flatMap(([part, members]) =>
    members.map((member) => `${part}.${member}`),
  ),
  ...otherMembers,
])

/** The members that differ, such as "log.level"; lists are compared as a whole. */
export function changedMembers(before: Configuration, after: Configuration): string[] {
  return differences(before, after, [])
}

/** Whether a change of a member counts without a restart. */
export function isReloadable(member: string): boolean {
  return reloadable.has(member)
}

function differences(before: unknown, after: unknown, path: readonly string[]): string[] {
  const name = path.join('.')
  if (!isMembers(before) || !isMembers(after) || isReloadable(name)) {
    return isDeepStrictEqual(before, after) ? [] : [name]
  }
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((member) => differences(before[member], after[member], [...path, member]))
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
