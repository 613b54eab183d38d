import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const cipherName = 'aes-256-gcm'
const nonceSizeBytes = 12
const tagSizeBytes = 16

/** What sealed texts start with: tells them from plain ones, and the first format from later ones. */
const mark = 'sealed:1:'

/**
 * Keeps secrets at rest. A sealed text is `sealed:1:` and base64 of a random nonce, the text in AES-256-GCM and
 * its tag; the key is derived from the installation's for one purpose (HKDF-SHA-256, RFC 5869).
 */
export class TextSeal {
  readonly #key: Buffer

  /** @param purpose tells the keys of different uses apart, such as "firewall configuration" */
  constructor(installationKey: Buffer, purpose: string) {
    this.#key = Buffer.from(hkdfSync('sha256', installationKey, '', purpose, 32))
  }

  /** @param boundTo what the text belongs to: it is opened for the same only */
  seal(text: string, boundTo = ''): string {
    const nonce = randomBytes(nonceSizeBytes)
    const cipher = createCipheriv(cipherName, this.#key, nonce)
    cipher.setAAD(Buffer.from(boundTo))
    const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return mark + sealed.toString('base64')
  }

  /**
   * The text that was sealed.
   *
   * @throws Error when it was sealed with another key or for something else, or was altered
   */
  open(sealed: string, boundTo = ''): string {
    const bytes = Buffer.from(sealed.slice(mark.length), 'base64')
    const nonce = bytes.subarray(0, nonceSizeBytes)
    const decipher = createDecipheriv(cipherName, this.#key, nonce, { authTagLength: tagSizeBytes })
    decipher.setAAD(Buffer.from(boundTo))
    decipher.setAuthTag(bytes.subarray(-tagSizeBytes))
    const text = decipher.update(bytes.subarray(nonceSizeBytes, -tagSizeBytes))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  }

  isSealed(text: string): boolean {
    return text.startsWith(mark)
  }
}
