import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { parseJson, RequestRefused, TextSeal } from '@palisade/platform'
import { systemCode } from '@palisade/private-files'
import { notAcceptable } from '../../failure.ts'
import type { DocumentSeal } from '../../transfer/document.ts'

/*
 * A backup is one file. Not encrypted, it is a configuration document, compressed by gzip; its secrets are sealed
 * with the installation's own key. Encrypted, it is
 *
 *   "PALISADE-FIREWALL-BACKUP-1\n"   27 bytes
 *   salt                             16 bytes
 *   nonce                            12 bytes
 *   the same, in AES-256-GCM         with the 43 bytes of mark and salt as additional data
 *   tag                              16 bytes
 *
 * The administrator's encryption key and the salt give 64 bytes (scrypt, N = 32768, r = 8, p = 1): half of them
 * encrypt the file, half of them seal the document's secrets. So whoever has the key can restore an encrypted backup
 * on another installation, secrets and all.
 */

const mark = Buffer.from('PALISADE-FIREWALL-BACKUP-1\n')
const saltSize = 16
const nonceSize = 12
const tagSize = 16
const keySize = 32
const scryptCost = { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }

/** The most that a file may unfold to. */
const documentSizeMax = 256 * 1024 * 1024

/** What the key of an encrypted backup opens and seals. */
export class BackupKey {
  readonly salt: Buffer
  /** Of the document's secrets. */
  readonly seal: DocumentSeal
  readonly #archiveKey: Buffer

  private constructor(salt: Buffer, secret: Buffer) {
    this.salt = salt
    this.#archiveKey = secret.subarray(0, keySize)
    this.seal = new TextSeal(secret.subarray(keySize), 'palisade-firewall/backup')
  }

  /** @param salt the one of an archive; a new one when left out */
  static async of(encryptionKey: string, salt: Buffer = randomBytes(saltSize)): Promise<BackupKey> {
    return new BackupKey(salt, await derived(encryptionKey, salt))
  }

  encrypted(bytes: Buffer): Buffer {
    const nonce = randomBytes(nonceSize)
    const cipher = createCipheriv('aes-256-gcm', this.#archiveKey, nonce)
    const head = Buffer.concat([mark, this.salt])
    cipher.setAAD(head)
    return Buffer.concat([head, nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  }

  /** @throws Error when it was encrypted with another key, or was altered */
  decrypted(archive: Buffer): Buffer {
    const head = archive.subarray(0, mark.length + saltSize)
    const rest = archive.subarray(head.length)
    const nonce = rest.subarray(0, nonceSize)
    const decipher = createDecipheriv('aes-256-gcm', this.#archiveKey, nonce, { authTagLength: tagSize })
    decipher.setAAD(head)
    decipher.setAuthTag(rest.subarray(-tagSize))
    return Buffer.concat([decipher.update(rest.subarray(nonceSize, -tagSize)), decipher.final()])
  }
}

/** The file for a document, encrypted when there is a key. */
export async function backupArchive(document: object, key: BackupKey | undefined): Promise<Buffer> {
  const compressed = await compress(Buffer.from(JSON.stringify(document)))
  return key ? key.encrypted(compressed) : compressed
}

/** What a backup holds, and what opens its secrets where that is not the installation's own seal. */
export interface OpenedBackup {
  readonly document: unknown
  readonly seal?: DocumentSeal
}

/**
 * Opens a backup. A configuration document that is not compressed is taken, too.
 *
 * @param encryptionKey undefined when none is known
 * @throws ConfigurationRefused not-acceptable, when it is no backup, or another key is needed
 */
export async function openBackup(archive: Buffer, encryptionKey: string | undefined): Promise<OpenedBackup> {
  if (!archive.subarray(0, mark.length).equals(mark)) return { document: await documentOf(archive) }
  if (encryptionKey === undefined) {
    throw notAcceptable('The backup is encrypted: give its key in the member backup-encryption-key.')
  }
  if (archive.length < mark.length + saltSize + nonceSize + tagSize)
    throw notAcceptable('The backup is cut off.')
  const key = await BackupKey.of(encryptionKey, archive.subarray(mark.length, mark.length + saltSize))
  return { document: await documentOf(decryptedWith(key, archive)), seal: key.seal }
}

function decryptedWith(key: BackupKey, archive: Buffer): Buffer {
  try {
    return key.decrypted(archive)
  } catch {
    throw notAcceptable('The backup was encrypted with another key, or it is damaged.')
  }
}

async function documentOf(bytes: Buffer): Promise<unknown> {
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b
  try {
    return parseJson(isCompressed ? await uncompress(bytes, { maxOutputLength: documentSizeMax }) : bytes)
  } catch (error) {
    if (!(error instanceof RequestRefused) && !isZlibError(error)) throw error
    throw notAcceptable('The file is no backup of a configuration, or it is damaged.')
  }
}

function isZlibError(error: unknown): boolean {
  const code = systemCode(error) ?? ''
  return code.startsWith('Z_') || code === 'ERR_BUFFER_TOO_LARGE'
}

const compress = promisify<Buffer, Buffer>(gzip)
const uncompress = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip)

function derived(encryptionKey: string, salt: Buffer): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  scrypt(encryptionKey, salt, 2 * keySize, scryptCost, (error, key) => (error ? reject(error) : resolve(key)))
  return promise
}
