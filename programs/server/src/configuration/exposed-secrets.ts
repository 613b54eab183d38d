import type { ServiceWarning } from '@palisade/platform'
import { mayBeReadByOthers } from '@palisade/private-files'
import type { Configuration } from './schema.ts'

/** Members that are a secret wherever they stand, and the address of a database with a password in it. */
const secretMembers = new Set([
  'password',
  'key',
  'enrolmentKey',
  'clientSecret',
  'secretAccessKey',
  'sessionToken',
])
const addressWithPassword = /^postgres(?:ql)?:\/\/[^/@]*:[^/@]+@/

/**
 * Whether every user of the machine may read secrets in a configuration file.
 *
 * @returns what the operator should do; undefined when there is nothing
 */
export function exposedSecrets(file: string, configuration: Configuration): ServiceWarning | undefined {
  if (!mayBeReadByOthers(file) || !holdsSecret(configuration)) return undefined
  return {
    condition: 'readable-configuration',
    message: `Every user of this machine may read ${file}, and there are secrets in it: use chmod o-r ${file}, and change what somebody may have read.`,
  }
}

function holdsSecret(value: unknown): boolean {
  if (typeof value === 'string') return addressWithPassword.test(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(
    ([name, inner]) => (secretMembers.has(name) && typeof inner === 'string') || holdsSecret(inner),
  )
}
