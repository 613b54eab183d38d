import { hash } from 'node:crypto'

function digest(algorithm: string, value: string): string {
  return hash(algorithm, Buffer.from(value, 'latin1'), 'buffer').toString('latin1')
}

/** The 16 bytes of the digest, not their digits. */
export function md5(value: string): string {
  return digest('md5', value)
}

/** The 20 bytes of the digest, not their digits. */
export function sha1(value: string): string {
  return digest('sha1', value)
}
