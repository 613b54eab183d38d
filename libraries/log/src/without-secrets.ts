import { secretMembers } from './secret-members.ts'

const names = new Set<string>(secretMembers)

/** Whether a member of this name may hold a secret, wherever it stands. */
export function isSecretMember(name: string): boolean {
  return names.has(name)
}

/** A copy of JSON without what its members that may carry a secret hold, however deep they lie. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isSecretMember(name) ? '[redacted]' : withoutSecrets(inner),
    ]),
  )
}
