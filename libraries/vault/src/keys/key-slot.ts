/**
 * A key slot: the master key, sealed under a key of the user, so that there can be several and each can be changed or
 * taken away without touching the data.
 *
 *     user key    the 32 bytes of a key file, or Argon2id of a passphrase (passphrase.ts)
 *     slot key    HKDF-SHA256 of the user key, empty salt, info `palisade-vault/2/key-slot`, 32 bytes
 *     sealed      12 nonce, 32 ciphertext, 16 authentication tag: AES-256-GCM of the master key under the slot key;
 *                 additional authenticated data: "key-slot" 00 <vault id> 00 <slot id>
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { masterKeyBytes } from './derive.ts'
import type { PassphraseParameters } from './passphrase.ts'

/** A slot as the configuration holds it. */
export interface KeySlot {
  /** 8 random bytes as hexadecimal. */
  readonly id: string
  /** The user's own words for it. */
  readonly label: string
  /** Milliseconds since 1970. */
  readonly createdMs: number
  /** How the passphrase becomes the user key; null for a key file. */
  readonly passphrase: PassphraseParameters | null
  /** Hexadecimal. */
  readonly sealed: string
}

/** What belongs to a slot before the master key is sealed in it. */
export type NewKeySlot = Pick<KeySlot, 'label' | 'createdMs' | 'passphrase'>

const nonceBytes = 12
const tagBytes = 16

/** A slot with a fresh id, from which the user's key opens the master key (AES-256-GCM). */
export function sealKeySlot(
  vaultId: string,
  slot: NewKeySlot,
  userKey: Uint8Array,
  masterKey: Uint8Array,
): KeySlot {
  const id = randomBytes(8).toString('hex')
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', slotKey(userKey), nonce)
  cipher.setAAD(belongsTo(vaultId, id))
  const sealed = Buffer.concat([nonce, cipher.update(masterKey), cipher.final(), cipher.getAuthTag()])
  return { id, ...slot, sealed: sealed.toString('hex') }
}

/** The master key, or nothing when the slot was not sealed under this user key. */
export function openKeySlot(vaultId: string, slot: KeySlot, userKey: Uint8Array): Buffer | undefined {
  const sealed = Buffer.from(slot.sealed, 'hex')
  if (sealed.length !== nonceBytes + masterKeyBytes + tagBytes) return undefined
  const nonce = sealed.subarray(0, nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', slotKey(userKey), nonce, { authTagLength: tagBytes })
  decipher.setAAD(belongsTo(vaultId, slot.id))
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  const masterKey = decipher.update(sealed.subarray(nonceBytes, -tagBytes))
  try {
    decipher.final()
    return masterKey
  } catch {
    return undefined
  }
}

function slotKey(userKey: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', userKey, new Uint8Array(), 'palisade-vault/2/key-slot', 32))
}

function belongsTo(vaultId: string, slotId: string): Buffer {
  return Buffer.from(`key-slot\0${vaultId}\0${slotId}`)
}
