import { Blake3Hasher } from '@napi-rs/blake-hash'

/** Length of a chunk id: keyed BLAKE3 with its default output length. */
export const chunkIdBytes = 32

/**
 * Names a chunk: keyed BLAKE3 of its plaintext under the domain's naming key. Equal plaintexts of a domain
 * get equal ids; without the key nobody can test whether some known content is stored.
 */
export function nameChunk(plaintext: Uint8Array, namingKey: Uint8Array): Buffer {
  return keyedHash(namingKey, plaintext)
}

/** Keyed BLAKE3 (32 bytes) over the concatenation of `parts`. The key has 32 bytes. */
export function keyedHash(key: Uint8Array, ...parts: readonly Uint8Array[]): Buffer {
  const hasher = Blake3Hasher.newKeyed(asBuffer(key))
  for (const part of parts) hasher.update(part)
  return hasher.digestBuffer()
}

/** The same bytes as a Buffer, without copying. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
