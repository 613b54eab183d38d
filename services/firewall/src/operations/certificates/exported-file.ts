import { createPrivateKey } from 'node:crypto'
import { naming, refusalOf } from '../../behaviours/certificates/unacceptable.ts'
import { makeSigningRequest, writePkcs12 } from '../../certificates/index.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { mayExportKey, readStoredCertificate } from '../../objects/stored-certificate.ts'

/** What a download asks for. */
export interface DownloadRequest {
  readonly type: 'csr' | 'pem' | 'pkcs'
  /** Protects the private key in the file; undefined when none was given. */
  readonly password: string | undefined
}

/** A file for download. Its content is a text or, of PKCS #12, bytes. */
export interface ExportedFile {
  readonly content: string | Buffer
  readonly contentType: string
  /** What follows the certificate's name in the file's. */
  readonly extension: string
  readonly holdsKey: boolean
}

const pemType = 'application/x-pem-file'

/**
 * The file that is downloaded of a certificate: a signing request, PEM with the certificate and those above it, or
 * PKCS #12. The private key is in it when the certificate allows that.
 *
 * @throws ConfigurationRefused not-acceptable, naming the member of the download
 */
export async function exportedFile(
  object: ConfigurationObject,
  { type, password }: DownloadRequest,
): Promise<ExportedFile> {
  const stored = readStoredCertificate(object)
  if (!stored) throw refusalOf('download-type', 'There is nothing to download: the certificate is not here.')
  const { certificate, privateKey, intermediates } = stored
  if (type === 'pem') {
    const key = privateKey !== undefined && mayExportKey(object) ? pemOfKey(privateKey, password) : ''
    const content = [certificate, ...intermediates, key].join('')
    return { content, contentType: pemType, extension: 'pem', holdsKey: key !== '' }
  }
  if (privateKey === undefined) throw refusalOf('download-type', 'There is no private key. Expected was pem.')
  if (type === 'csr') {
    const content = await naming('download-type', () => makeSigningRequest({ certificate, privateKey }))
    return { content, contentType: pemType, extension: 'csr', holdsKey: false }
  }
  if (!mayExportKey(object)) {
    throw refusalOf(
      'download-type',
      'A PKCS #12 file holds the private key, which allow-private-key-export keeps here. Expected was csr or pem.',
    )
  }
  if (password === undefined) {
    throw refusalOf('encrypt-password', 'It is missing. Expected was the password of the PKCS #12 file.')
  }
  const parts = { certificate, privateKey, intermediates, password, friendlyName: object.name }
  const content = await naming('download-type', () => writePkcs12(parts))
  return { content, contentType: 'application/x-pkcs12', extension: 'p12', holdsKey: true }
}

function pemOfKey(privateKey: string, password: string | undefined): string {
  if (password === undefined) return privateKey
  const encryption = { cipher: 'aes-256-cbc', passphrase: password }
  return createPrivateKey(privateKey)
    .export({ type: 'pkcs8', format: 'pem', ...encryption })
    .toString()
}
