/**
 * The key of a computer that seals its chunks end to end: 32 random bytes in a file of the computer, which the server never
 * sees. What chunks are named and sealed with comes from it as it otherwise comes from the vault's master key:
 *
 *     computer's key ─┬─ palisade-vault/1/chunk-naming 00 domain       32   ids of chunks
 *                     ├─ palisade-vault/1/chunk-sealing 00 domain      32   contents of chunks
 *                     └─ palisade-vault/1/end-to-end-check 00 domain   16   tells this key from another, and may be known
 */
import { type ChunkKeys, deriveChunkKeys, deriveKey } from './derive.ts'

/** What comes of a computer's own key. */
export interface EndToEndKeys {
  readonly chunks: ChunkKeys
  /** 32 hexadecimal digits that recognise the key and say nothing about it. Not secret. */
  readonly keyCheck: string
}

/**
 * What a computer's own key means in a domain.
 *
 * @param key the 32 bytes of the computer's key file
 * @throws VaultFailure `invalid-argument`
 */
export function deriveEndToEndKeys(key: Uint8Array, domain: string): EndToEndKeys {
  return {
    chunks: deriveChunkKeys(key, domain),
    keyCheck: deriveKey(key, `end-to-end-check\0${domain}`, 16).toString('hex'),
  }
}
