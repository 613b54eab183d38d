import { createSecretKey, type KeyObject } from 'node:crypto'

const made = new WeakMap<Uint8Array, KeyObject>()

/**
 * A key as Node's ciphers like it. Given as bytes they look at it anew for each chunk, for a twentieth of a millisecond;
 * in a backup that was as much as a third of what naming takes.
 *
 * @param bytes stay what they are for as long as somebody has them
 */
export function secretKeyOf(bytes: Uint8Array): KeyObject {
  const known = made.get(bytes)
  if (known) return known
  const key = createSecretKey(bytes)
  made.set(bytes, key)
  return key
}
