import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { isRecord, parseAs } from '../json.ts'

const nonceBytes = 12
const tagBytes = 16
const keyBytes = 32

/** Who logs on to a share or a host. A domain may stand before the name: `DOMAIN\name`. */
export interface Credentials {
  readonly username: string
  readonly password: string
}

/**
 * Seals credentials for the journal, under a key that is made from the agent's own credential, with AES-256-GCM: base64 of
 * nonce, ciphertext and tag. Who has that credential is told the same secrets by the server, so keeping them so gives nobody
 * more than the agent's state gives anyway; and nothing is left of them once the credential is revoked.
 */
export class CredentialsSeal {
  readonly #key: Uint8Array

  /** @param secret the agent's credential */
  constructor(secret: string) {
    this.#key = new Uint8Array(hkdfSync('sha256', secret, '', 'palisade-agent/share-credentials', keyBytes))
  }

  seal({ username, password }: Credentials): string {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce)
    const text = cipher.update(JSON.stringify({ username, password }), 'utf8')
    return Buffer.concat([nonce, text, cipher.final(), cipher.getAuthTag()]).toString('base64')
  }

  /** What was sealed; undefined when there is nothing, when it was sealed under another credential, or when it is damaged. */
  open(sealed: string | undefined): Credentials | undefined {
    const text = sealed === undefined ? undefined : this.#decrypt(Buffer.from(sealed, 'base64'))
    return text === undefined ? undefined : parseAs(text, isCredentials)
  }

  #decrypt(bytes: Buffer): string | undefined {
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

function isCredentials(value: unknown): value is Credentials {
  return isRecord(value) && typeof value.username === 'string' && typeof value.password === 'string'
}
