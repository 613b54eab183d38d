import 'reflect-metadata'
import * as x509 from '@peculiar/x509'
import { CertificateUnreadable, orUnreadableLater } from './certificate-unreadable.ts'
import { keyMatchesCertificate, parsePrivateKey, privateKeyPem } from './private-key.ts'
import { parseCertificate } from './read-certificate.ts'
import { newPrivateKey } from './self-signed.ts'
import { signingKeys } from './signing-keys.ts'

const subjectAlternativeName = '2.5.29.17'

/**
 * Makes a request (PKCS #10) with which an authority can sign a certificate of the same subject, alternative names
 * and key.
 *
 * @param certificate PEM or DER
 * @param privateKey PEM or DER, not encrypted; it has to be the certificate's
 * @returns PEM
 * @throws CertificateUnreadable
 */
export async function makeSigningRequest({
  certificate,
  privateKey,
}: {
  readonly certificate: string | Uint8Array
  readonly privateKey: string | Uint8Array
}): Promise<string> {
  const parsed = parseCertificate(certificate)
  const key = await parsePrivateKey(privateKey)
  if (!keyMatchesCertificate(parsed, key)) {
    throw new CertificateUnreadable('The private key is not that of the certificate.')
  }
  const { keys, algorithm } = signingKeys(key)
  return await orUnreadableLater(
    'The certificate holds names that cannot be copied into a request.',
    async () => {
      const template = new x509.X509Certificate(parsed.raw)
      const names = template.getExtension(subjectAlternativeName)
      const request = await x509.Pkcs10CertificateRequestGenerator.create({
        name: template.subjectName,
        keys,
        signingAlgorithm: algorithm,
        extensions: names ? [new x509.Extension(names.type, names.critical, names.value)] : [],
      })
      return `${request.toString('pem').trim()}\n`
    },
  )
}

/**
 * Makes an ECDSA key on P-256, and a request for a certificate of these hosts with it. The subject is empty: authorities take the names
 * from the extension alone.
 *
 * @param names hosts in their ASCII form
 */
export async function makeNewRequest(
  names: readonly string[],
): Promise<{ readonly requestDer: Uint8Array; readonly privateKeyPem: string }> {
  const privateKey = await newPrivateKey({ type: 'ECDSA', curve: 'secp256r1' })
  const { keys, algorithm } = signingKeys(privateKey)
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    keys,
    signingAlgorithm: algorithm,
    extensions: [new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value })))],
  })
  return { requestDer: new Uint8Array(request.rawData), privateKeyPem: privateKeyPem(privateKey) }
}
