import { VaultFailure } from '../failure.ts'

const form = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/

/** @throws VaultFailure `invalid-argument` for a name that could leave the storage or not be stored everywhere. */
export function assertObjectName(name: string): void {
  if (name.length > 512 || !form.test(name)) {
    throw new VaultFailure('invalid-argument', `${JSON.stringify(name)} is not a valid object name`)
  }
}

/** @throws VaultFailure `invalid-argument` */
export function assertPrefix(prefix: string): void {
  if (prefix === '') return
  if (!prefix.endsWith('/')) throw new VaultFailure('invalid-argument', 'a prefix ends with a slash')
  assertObjectName(prefix.slice(0, -1))
}
