import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const nonceBytes = 12
const tagBytes = 16
const keyBytes = 32

/**
 * Seals texts under a key that is made from the agent's own credential, with AES-256-GCM: base64 of nonce, ciphertext
 * and tag. Who has that credential is told the same secrets by the server, so keeping them so gives nobody more than
 * the agent's state gives anyway; and nothing is left of them once the credential is revoked.
 */
export class TextSeal {
  readonly #key: Uint8Array

  /** @param secret the agent's credential */
  constructor(secret: string) {
    this.#key = new Uint8Array(hkdfSync('sha256', secret, '', 'palisade-agent/share-credentials', keyBytes))
  }

  seal(text: string): string {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce)
    return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
      'base64',
    )
  }

  /** What was sealed; undefined when it was sealed under another credential, or is damaged. */
  open(sealed: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64')
    if (bytes.length < nonceBytes + tagBytes) return undefined
    const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, nonceBytes))
    decipher.setAuthTag(bytes.subarray(-tagBytes))
    try {
      const text = [decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]
      return Buffer.concat(text).toString('utf8')
    } catch {
      // Authentication failed: there is no more to say than that it cannot be opened.
      return undefined
    }
  }
}
