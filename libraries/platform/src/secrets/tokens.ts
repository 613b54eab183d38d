import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A new secret of 256 random bits, as 43 characters of base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * What the store keeps of a token: its SHA-256 as 64 hexadecimal digits. Enough for secrets of 256 random
 * bits, which nobody can guess; passwords go through {@link Passwords} instead.
 */
export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Compares two secrets of any length without telling by its duration where they differ. */
export function equalInConstantTime(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}
