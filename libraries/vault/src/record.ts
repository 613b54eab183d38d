/**
 * A record: a small sealed piece of the vault's own knowledge (revision heads and chunk lists, domain names).
 *
 *     12    nonce, random
 *      n    ciphertext: AES-256-GCM of zstd-compressed content
 *     16    authentication tag
 *
 * The additional authenticated data says where the record belongs, so records cannot be exchanged.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { VaultFailure } from './failure.ts'

const nonceBytes = 12
const tagBytes = 16
const compressAsync = promisify(zstdCompress)
const decompressAsync = promisify(zstdDecompress)
/** The chunk list of 64 TiB in chunks of 512 KiB; bounds what a record may unfold to. */
const contentMaxBytes = 2 ** 32 - 1

/** Compresses (zstd 1) and seals (AES-256-GCM, random nonce) a content; `openRecord` needs the same `belongsTo`. */
export async function sealRecord(
  key: Uint8Array,
  belongsTo: Uint8Array,
  content: Uint8Array,
): Promise<Buffer> {
  const compressed = await compressAsync(content, { params: { [constants.ZSTD_c_compressionLevel]: 1 } })
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(belongsTo)
  return Buffer.concat([nonce, cipher.update(compressed), cipher.final(), cipher.getAuthTag()])
}

/** @throws VaultFailure `damaged` when the record was changed, or belongs elsewhere. */
export async function openRecord(
  key: Uint8Array,
  belongsTo: Uint8Array,
  sealed: Uint8Array,
): Promise<Buffer> {
  if (sealed.length < nonceBytes + tagBytes) throw new VaultFailure('damaged', 'a record is too short')
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
  decipher.setAAD(belongsTo)
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  try {
    const compressed = decipher.update(sealed.subarray(nonceBytes, -tagBytes))
    decipher.final()
    return await decompressAsync(compressed, { maxOutputLength: contentMaxBytes })
  } catch (cause) {
    throw new VaultFailure('damaged', 'a record fails its authentication', { cause })
  }
}
