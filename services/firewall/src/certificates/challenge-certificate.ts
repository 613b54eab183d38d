import 'reflect-metadata'
import { createHash } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { OctetString } from 'asn1js'
import { privateKeyPem } from './private-key.ts'
import { type CertificateWithKey, newPrivateKey, newSerialNumber } from './self-signed.ts'
import { signingKeys } from './signing-keys.ts'

/** id-pe-acmeIdentifier (RFC 8737, section 3). */
const acmeIdentifier = '1.3.6.1.5.5.7.1.31'

const dayMs = 86_400_000

/**
 * Makes the certificate by which an authority sees in a handshake that a name is held (RFC 8737, section 3): self-signed, for that name
 * alone, with the digest of the key authorization in a critical extension.
 *
 * @param now in milliseconds since 1970
 */
export async function makeChallengeCertificate(
  name: string,
  keyAuthorization: string,
  now: number,
): Promise<CertificateWithKey> {
  const privateKey = await newPrivateKey({ type: 'ECDSA', curve: 'secp256r1' })
  const { keys, algorithm } = signingKeys(privateKey)
  const digest = createHash('sha256').update(keyAuthorization).digest()
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerialNumber(),
    name: new x509.Name([{ CN: [{ utf8String: 'ACME challenge' }] }]),
    notBefore: new Date(now - dayMs),
    notAfter: new Date(now + dayMs),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: name }]),
      new x509.Extension(acmeIdentifier, true, new OctetString({ valueHex: digest }).toBER()),
    ],
  })
  return {
    certificatePem: `${certificate.toString('pem').trim()}\n`,
    privateKeyPem: privateKeyPem(privateKey),
  }
}
