import { secretMembers } from './secret-members.ts'

const isSecret = new Set<string>(secretMembers)

/** A copy of JSON without what its members that may carry a secret hold, however deep they lie. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isSecret.has(name) ? '[redacted]' : withoutSecrets(inner),
    ]),
  )
}
