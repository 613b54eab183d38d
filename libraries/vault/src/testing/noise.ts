import { createCipheriv, createHash } from 'node:crypto'

/** Bytes that look random and are the same in every run: the key stream of a seed. */
export function noise(seed: string, lengthBytes: number): Buffer {
  const key = createHash('sha256').update(seed).digest()
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(lengthBytes))
}
