/**
 * Credentials of a share while a restore needs them: AES-256-GCM under a key of this installation, base64 of
 *
 *     nonce (12)  ciphertext of {"username","password"}  tag (16)
 *
 * bound to the restore, so that they cannot be moved to another one. They are wiped when the restore ends.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { parseStored } from '../stored-json.ts'
import type { ShareCredentials } from './task.ts'

const nonceSizeBytes = 12
const tagSizeBytes = 16
const credentialForms = Compile(Type.Object({ username: Type.String(), password: Type.String() }))

export class CredentialSeal {
  readonly #key: Buffer

  /** @param installationKey 32 bytes that only this installation knows */
  constructor(installationKey: Buffer) {
    this.#key = Buffer.from(
      hkdfSync('sha256', installationKey, new Uint8Array(), 'palisade-backup/share-credentials', 32),
    )
  }

  seal(restoreId: string, { username, password }: ShareCredentials): string {
    const nonce = randomBytes(nonceSizeBytes)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce)
    cipher.setAAD(Buffer.from(restoreId))
    const sealed = [nonce, cipher.update(JSON.stringify({ username, password })), cipher.final()]
    return Buffer.concat([...sealed, cipher.getAuthTag()]).toString('base64')
  }

  /** @throws Error when this is not what was sealed for this restore by this installation */
  open(restoreId: string, sealed: string): ShareCredentials {
    const bytes = Buffer.from(sealed, 'base64')
    const nonce = bytes.subarray(0, nonceSizeBytes)
    const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: tagSizeBytes })
    decipher.setAAD(Buffer.from(restoreId))
    decipher.setAuthTag(bytes.subarray(-tagSizeBytes))
    const text = Buffer.concat([
      decipher.update(bytes.subarray(nonceSizeBytes, -tagSizeBytes)),
      decipher.final(),
    ])
    return parseStored(credentialForms, text.toString('utf8'))
  }
}
