import { createDecipheriv, createHash, getCipherInfo } from 'node:crypto'
import { CertificateUnreadable, orUnreadable } from './certificate-unreadable.ts'
import { wrongPassword } from './password-encryption.ts'

/** Of the initialisation vector so much is hashed with the password. */
const saltSizeBytes = 8

/**
 * Decrypts a PEM block that OpenSSL encrypted the old way. One round of MD5 makes the key of the password (EVP_BytesToKey(3)), so this is
 * quick. OpenSSL itself would go on with what is encrypted once more inside, and hash the password as often as that says.
 *
 * @param dekInfo cipher and initialisation vector, "AES-256-CBC,0123…"
 * @throws CertificateUnreadable for another cipher, and for a wrong password as far as it shows
 */
export function decryptOldPem(encrypted: Buffer, dekInfo: string, password: string): Buffer {
  const [cipher = '', digits = ''] = dekInfo.split(',', 2)
  const vector = Buffer.from(digits, 'hex')
  const { keyLength, mode } = getCipherInfo(cipher, { ivLength: vector.length }) ?? {}
  if (keyLength === undefined || mode !== 'cbc') {
    throw new CertificateUnreadable(
      `The private key is encrypted with ${cipher}, which is not known here. Expected was AES or triple DES in CBC mode.`,
    )
  }
  const salt = vector.subarray(0, saltSizeBytes)
  let round = Buffer.alloc(0)
  let key = round
  while (key.length < keyLength) {
    round = createHash('md5').update(round).update(password).update(salt).digest()
    key = Buffer.concat([key, round])
  }
  return orUnreadable(wrongPassword, () => {
    const decipher = createDecipheriv(cipher, key.subarray(0, keyLength), vector)
    return Buffer.concat([decipher.update(encrypted), decipher.final()])
  })
}
