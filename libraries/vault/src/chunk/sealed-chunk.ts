/**
 * A sealed chunk, as it travels from the agent to the server and lies in a pack:
 *
 *     offset  size  field
 *          0     1  layout: 1 sealed with the domain's keys, 2 sealed end to end
 *          1     1  compression of the plaintext: 0 none, 1 zstd
 *          2    12  nonce, random
 *         14     n  ciphertext (AES-256-GCM under the sealing key)
 *     14 + n    16  authentication tag
 *     30 + n    32  of layout 2 only, the mark: keyed BLAKE3 under the domain's marking key of the id and all of the above
 *
 * With layout 2 the keys are the computer's own and the vault cannot open the chunk. The mark lets it see all the same
 * that the bytes are those that the computer sent; who can only write to the storage cannot make one.
 *
 * The additional authenticated data is the two header bytes followed by the 32-byte chunk id, so a sealed chunk
 * cannot be passed off as another one. Random 96-bit nonces are safe for 2^32 chunks under one key
 * (NIST SP 800-38D, 8.3), which is four pebibytes of one computer at the usual chunk size.
 */
import { createCipheriv, createDecipheriv, randomFillSync, timingSafeEqual } from 'node:crypto'
import { VaultFailure } from '../failure.ts'
import type { ChunkKeys, VerificationKeys } from '../keys/derive.ts'
import { asBuffer, chunkIdBytes, keyedHash, nameChunk } from './chunk-id.ts'
import { cipherInto, secretKeyOf } from './cipher.ts'
import { compress, decompress } from './compress.ts'
import { releaseMemory } from './release-memory.ts'

const layoutOfDomain = 1
const layoutEndToEnd = 2
const headerBytes = 2
const nonceBytes = 12
const tagBytes = 16
const markBytes = 32
const contentStart = headerBytes + nonceBytes
const compressionNone = 0
const compressionZstd = 1

/** No sealed chunk is shorter. */
export const sealedSizeMinBytes = headerBytes + nonceBytes + tagBytes
/** How much longer a sealed chunk can be than its plaintext, whatever its layout. */
export const sealOverheadBytes = sealedSizeMinBytes + markBytes

/** What a chunk is sealed with. */
export interface SealingKeys extends ChunkKeys {
  /** The domain's marking key when the others are the computer's own: the chunk is then sealed end to end. */
  readonly marking?: Uint8Array
}

/**
 * Compresses and encrypts a chunk that {@link nameChunk} has named `id`.
 *
 * The result is a view into `into` when that is given; room for `plaintext.length + sealOverheadBytes` always suffices.
 * It is to be left alone until the sealed chunk has been sent. Synchronous: meant for worker threads.
 */
export function sealChunk(
  id: Uint8Array,
  plaintext: Uint8Array,
  keys: SealingKeys,
  options: { readonly into?: Uint8Array } = {},
): Uint8Array {
  const compressed = compress(plaintext)
  const content = compressed ?? plaintext
  const tagEnd = content.length + sealedSizeMinBytes
  const sealedBytes = keys.marking ? tagEnd + markBytes : tagEnd
  if (options.into && options.into.length < sealedBytes) {
    throw new VaultFailure('invalid-argument', `the buffer for a sealed chunk needs ${sealedBytes} bytes`)
  }
  const sealed = (options.into ?? Buffer.allocUnsafe(sealedBytes)).subarray(0, sealedBytes)
  sealed[0] = keys.marking ? layoutEndToEnd : layoutOfDomain
  sealed[1] = compressed ? compressionZstd : compressionNone
  randomFillSync(sealed, headerBytes, nonceBytes)
  const cipher = createCipheriv(
    'aes-256-gcm',
    secretKeyOf(keys.sealing),
    sealed.subarray(headerBytes, contentStart),
  )
  cipher.setAAD(additionalData(sealed, id))
  cipherInto(cipher, content, sealed.subarray(contentStart))
  sealed.set(cipher.getAuthTag(), tagEnd - tagBytes)
  if (keys.marking) sealed.set(keyedHash(keys.marking, id, sealed.subarray(0, tagEnd)), tagEnd)
  if (compressed) releaseMemory(compressed)
  return sealed
}

/** Where the plaintext goes: into given memory, or into new memory that is bounded. */
export type OpenTarget = { readonly into: Uint8Array } | { readonly sizeMaxBytes: number }

/**
 * Decrypts and decompresses a sealed chunk and recomputes its id from the plaintext, so what is returned is what
 * was named. With `into` the plaintext is put there and the result is a view of it. Without it `sizeMaxBytes`
 * bounds what a chunk may unfold to.
 *
 * @throws VaultFailure `damaged` when the bytes are not the sealed chunk of this id and these keys.
 */
export function openChunk(
  id: Uint8Array,
  sealed: Uint8Array,
  keys: ChunkKeys,
  target: OpenTarget,
): Uint8Array {
  const plaintext = unsealChunk(id, sealed, keys, target)
  if (nameChunk(plaintext, keys.naming).equals(id)) return plaintext
  throw new VaultFailure('damaged', 'a chunk does not have the content its id names')
}

/**
 * The same without recomputing the id, for whoever does that later: a restore names what it reads back from the disk.
 * What is returned is what was sealed under this id with these keys, which is what the id names unless the one who
 * sealed it made a mistake.
 *
 * @throws VaultFailure `damaged` when the bytes were not sealed under this id with these keys.
 */
export function unsealChunk(
  id: Uint8Array,
  sealed: Uint8Array,
  keys: ChunkKeys,
  target: OpenTarget,
): Uint8Array {
  assertSealedForm(id, sealed)
  const sizeMaxBytes = 'into' in target ? target.into.length : target.sizeMaxBytes
  const contentBytes = tagEndOf(sealed) - sealedSizeMinBytes
  if (contentBytes > sizeMaxBytes) throw new VaultFailure('damaged', 'a chunk is longer than the chunk size')
  const into = 'into' in target ? target.into : undefined
  return sealed[1] === compressionZstd
    ? unfold(decryptTo(Buffer.allocUnsafe(contentBytes), id, sealed, keys.sealing), sizeMaxBytes, into)
    : decryptTo(into ?? Buffer.allocUnsafe(contentBytes), id, sealed, keys.sealing)
}

/** Whether the computer sealed the chunk with a key of its own. */
export function isSealedEndToEnd(sealed: Uint8Array): boolean {
  return sealed[0] === layoutEndToEnd
}

/**
 * Proves, without decompressing, that the bytes are what was sealed under this id.
 *
 * @throws VaultFailure `damaged` when they are not.
 */
export function authenticateChunk(id: Uint8Array, sealed: Uint8Array, keys: VerificationKeys): void {
  assertSealedForm(id, sealed)
  if (isSealedEndToEnd(sealed)) {
    assertMark(id, sealed, keys.marking)
    return
  }
  const content = Buffer.allocUnsafe(sealed.length - sealedSizeMinBytes)
  decryptTo(content, id, sealed, keys.chunks.sealing)
  releaseMemory(content)
}

/**
 * Proves as much of a chunk as the vault's keys can: that it opens and has the content that its id names; of one that is
 * sealed end to end, that its bytes are those that the computer sent.
 *
 * @throws VaultFailure `damaged`
 */
export function verifyChunk(
  id: Uint8Array,
  sealed: Uint8Array,
  keys: VerificationKeys,
  target: OpenTarget,
): void {
  if (isSealedEndToEnd(sealed)) authenticateChunk(id, sealed, keys)
  else openChunk(id, sealed, keys.chunks, target)
}

function assertMark(id: Uint8Array, sealed: Uint8Array, markingKey: Uint8Array): void {
  const tagEnd = tagEndOf(sealed)
  const mark = keyedHash(markingKey, id, sealed.subarray(0, tagEnd))
  if (timingSafeEqual(mark, sealed.subarray(tagEnd))) return
  throw new VaultFailure('damaged', 'a chunk that is sealed end to end is not the one that was sent')
}

/** Where the part ends that both layouts have. */
function tagEndOf(sealed: Uint8Array): number {
  return isSealedEndToEnd(sealed) ? sealed.length - markBytes : sealed.length
}

/** Decrypts into the beginning of `target`, which is worth nothing when this throws. */
function decryptTo(
  target: Uint8Array,
  id: Uint8Array,
  sealed: Uint8Array,
  sealingKey: Uint8Array,
): Uint8Array {
  const tagEnd = tagEndOf(sealed)
  const end = tagEnd - tagBytes
  const nonce = sealed.subarray(headerBytes, contentStart)
  const decipher = createDecipheriv('aes-256-gcm', secretKeyOf(sealingKey), nonce, {
    authTagLength: tagBytes,
  })
  decipher.setAAD(additionalData(sealed, id))
  decipher.setAuthTag(sealed.subarray(end, tagEnd))
  try {
    cipherInto(decipher, sealed.subarray(contentStart, end), target)
  } catch (cause) {
    throw new VaultFailure('damaged', 'a chunk fails its authentication', { cause })
  }
  return target.subarray(0, end - contentStart)
}

function unfold(content: Uint8Array, sizeMaxBytes: number, into: Uint8Array | undefined): Uint8Array {
  const plaintext = decompress(content, sizeMaxBytes)
  releaseMemory(asBuffer(content))
  if (!into) return plaintext
  into.set(plaintext)
  const unfolded = into.subarray(0, plaintext.length)
  releaseMemory(plaintext)
  return unfolded
}

/**
 * Checks what can be seen without a key: lengths, layout, compression.
 *
 * @param contentMaxBytes how long the content may be; any length when left out
 * @throws VaultFailure `damaged`
 */
export function assertSealedForm(id: Uint8Array, sealed: Uint8Array, contentMaxBytes = Infinity): void {
  const contentBytes = tagEndOf(sealed) - sealedSizeMinBytes
  if (contentBytes > contentMaxBytes) {
    throw new VaultFailure('damaged', 'the sealed chunk is longer than any of this vault can be')
  }
  const wellFormed =
    id.length === chunkIdBytes &&
    contentBytes >= 0 &&
    (sealed[0] === layoutOfDomain || sealed[0] === layoutEndToEnd) &&
    (sealed[1] === compressionNone || sealed[1] === compressionZstd)
  if (!wellFormed) throw new VaultFailure('damaged', 'the bytes do not have the form of a sealed chunk')
}

function additionalData(sealed: Uint8Array, id: Uint8Array): Buffer {
  return Buffer.concat([sealed.subarray(0, headerBytes), id])
}
