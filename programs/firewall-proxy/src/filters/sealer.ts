import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
} from 'node:crypto'
import type { SnapshotKey } from '@palisade/proxy-protocol'

/**
 * A sealed text, before base64url:
 *
 *     key's id 1 | nonce 12 | text in AES-256-GCM | tag 16
 *
 * The nonce is the beginning of an HMAC-SHA-256 of what it is for and of the text, so that one text is always sealed alike and
 * browsers know an address again. Two different texts share a nonce with a chance that is negligible below 2^40 texts a key.
 */
const nonceSize = 12
const tagSize = 16
const algorithm = 'aes-256-gcm'

interface Keys {
  readonly id: number
  readonly cipher: KeyObject
  readonly mac: KeyObject
}

/** Seals short texts so that nobody can read or change them. */
export class Sealer {
  readonly #keys: readonly Keys[]

  /**
   * @param keys the first seals, all open
   * @param use what is sealed; what was sealed for one use cannot be opened for another
   */
  constructor(keys: readonly SnapshotKey[], use: string) {
    this.#keys = keys.map(({ id, secret }) => ({
      id,
      cipher: derived(secret, `${use}/cipher`),
      mac: derived(secret, `${use}/nonce`),
    }))
  }

  /** @param context what the text belongs to; has to be said again to open it @returns letters, digits, "-" and "_" */
  seal(text: string, context: string): string {
    const [keys] = this.#keys
    if (keys === undefined) throw new Error('there is no key to seal with')
    const about = Buffer.from(context)
    const mac = createHmac('sha256', keys.mac).update(lengthOf(about)).update(about).update(text, 'utf8')
    const nonce = mac.digest().subarray(0, nonceSize)
    const cipher = createCipheriv(algorithm, keys.cipher, nonce)
    cipher.setAAD(about)
    const sealed = cipher.update(text, 'utf8')
    cipher.final()
    return Buffer.concat([Buffer.of(keys.id), nonce, sealed, cipher.getAuthTag()]).toString('base64url')
  }

  /** @returns undefined for what was not sealed with one of the keys, for this context */
  open(token: string, context: string): string | undefined {
    const bytes = Buffer.from(token, 'base64url')
    const keys = this.#keys.find(({ id }) => id === bytes[0])
    // Of the ways to write one token only one is taken.
    const isOwn = bytes.length > nonceSize + tagSize && bytes.toString('base64url') === token
    if (keys === undefined || !isOwn) return undefined
    const decipher = createDecipheriv(algorithm, keys.cipher, bytes.subarray(1, 1 + nonceSize))
    decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(bytes.length - tagSize))
    try {
      const text = decipher.update(bytes.subarray(1 + nonceSize, bytes.length - tagSize), undefined, 'utf8')
      return text + decipher.final('utf8')
    } catch {
      // Somebody has changed it, which is for the caller to say.
      return undefined
    }
  }
}

function derived(secret: string, use: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', Buffer.from(secret, 'base64url'), '', use, 32)))
}

function lengthOf(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return length
}
