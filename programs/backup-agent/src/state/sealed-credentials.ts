import { isRecord } from '../json.ts'
import type { ShareCredentials } from '../shares/share-settings.ts'
import type { TextSeal } from './text-seal.ts'

/** Credentials as the journal keeps them. */
export function sealCredentials({ username, password }: ShareCredentials, seal: TextSeal): string {
  return seal.seal(JSON.stringify({ username, password }))
}

/** Credentials from the journal; undefined when there are none, or they cannot be opened any more. */
export function openCredentials(sealed: string | undefined, seal: TextSeal): ShareCredentials | undefined {
  const text = sealed === undefined ? undefined : seal.open(sealed)
  const kept: unknown = text === undefined ? undefined : JSON.parse(text)
  if (!isRecord(kept)) return undefined
  const { username, password } = kept
  return typeof username === 'string' && typeof password === 'string' ? { username, password } : undefined
}
