import { createHmac, type KeyObject, timingSafeEqual, type X509Certificate } from 'node:crypto'
import { Asn1 } from './asn1.ts'
import { CertificateUnreadable, orUnreadableLater } from './certificate-unreadable.ts'
import { orderChain } from './chain.ts'
import { decryptWithPassword, iterationsMax, type Password } from './password-encryption.ts'
import { pemBlocks } from './pem.ts'
import { pkcs12Identifiers as identifiers, macHashes } from './pkcs12-identifiers.ts'
import { type KeyOrigin, keyPurpose, pkcs12Key, pkcs12Password } from './pkcs12-key.ts'
import { keyMatchesCertificate, parsePrivateKey, privateKeyPem } from './private-key.ts'
import { certificatePem, certificatesMax, parseCertificate } from './read-certificate.ts'

/*
 * A PKCS #12 file (RFC 7292):
 *
 *   PFX      = version, ContentInfo of the safes, MacData
 *   safes    = ContentInfo …, each in the clear or encrypted
 *   a safe   = bags: { sort, value, attributes }, with a certificate, a private key or an encrypted private key
 *   MacData  = { { hash, MAC of the safes }, salt, iterations DEFAULT 1 }
 *
 * A ContentInfo is { sort, [0] content }. A program that writes BER breaks octet strings into pieces.
 */

/** What a PKCS #12 file holds; all PEM, the private key as PKCS #8, the intermediates from the leaf towards the root. */
export interface Pkcs12Content {
  readonly certificate: string
  readonly privateKey: string
  readonly intermediates: readonly string[]
}

/** The values of a file's bags. */
interface Bags {
  readonly certificates: X509Certificate[]
  readonly privateKeys: KeyObject[]
}

const damaged = 'The PKCS #12 file is damaged, or it is none.'
const sizeBytesMax = 1_048_576
/** Programs write two or three. Each may cost seconds to open. */
const safesMax = 16

/**
 * Opens a PKCS #12 file (.pfx, .p12) with one private key: those of OpenSSL 3 (AES) and of older programs and
 * Windows (triple DES, RC2 of 40 bits). A file that has no MAC is taken too.
 *
 * @param file its bytes, or PEM, as `readUploadedText` gives them
 * @throws CertificateUnreadable for a wrong password, a damaged file, one without a private key or its certificate,
 *   and one with certificates that do not belong to the chain
 */
export async function readPkcs12(file: string | Uint8Array, password: string): Promise<Pkcs12Content> {
  const der = typeof file === 'string' ? pkcs12Block(file) : file
  if (der.length > sizeBytesMax)
    throw new CertificateUnreadable(`The PKCS #12 file is larger than ${sizeBytesMax} bytes.`)
  return await orUnreadableLater(damaged, async () => {
    const [version, authenticatedSafe, macData] = Asn1.read(der).children
    if (!version?.isInteger || !authenticatedSafe) throw new Error('A part is missing.')
    const safes = dataOf(authenticatedSafe)
    const checked = macData ? await checkedPassword(macData, safes, password) : { text: password }
    const bags: Bags = { certificates: [], privateKeys: [] }
    for (const safe of limited(Asn1.read(safes).children)) await openSafe(safe, checked, bags)
    return contentOf(bags)
  })
}

/** OpenSSL writes no such PEM, but other programs do. */
function pkcs12Block(pem: string): Buffer {
  const block = pemBlocks(pem).find(({ label }) => label === 'PKCS12')
  if (!block)
    throw new CertificateUnreadable('The text is no PKCS #12 file. Expected were its bytes or their base64.')
  return block.der
}

/** The octets of a ContentInfo in the clear. */
function dataOf(contentInfo: Asn1): Buffer {
  if (contentInfo.child(0).oid !== identifiers.data) {
    throw new CertificateUnreadable(
      'The PKCS #12 file is protected with a public key. Expected was one with a password.',
    )
  }
  return contentInfo.child(1).child(0).octets
}

/** The password in the form with which the MAC is right: programs disagree about the empty one. */
async function checkedPassword(macData: Asn1, safes: Buffer, text: string): Promise<Password> {
  const [digest, salt, iterations] = macData.children
  if (!digest || !salt) throw new Error('A part is missing.')
  const oid = digest.child(0).child(0).oid
  const hash = macHashes[oid]
  if (!hash)
    throw new CertificateUnreadable(`The PKCS #12 file has a MAC of a sort that is not known here (${oid}).`)
  const forms = text === '' ? [pkcs12Password(text), Buffer.alloc(0)] : [pkcs12Password(text)]
  for (const pkcs12 of forms) {
    const origin = {
      hash,
      salt: salt.octets,
      iterations: iterations?.count(iterationsMax) ?? 1,
      password: pkcs12,
    }
    if (sameBytes(await pkcs12Mac(origin, safes), digest.child(1).octets)) return { text, pkcs12 }
  }
  throw new CertificateUnreadable('The password does not open the PKCS #12 file, or the file is damaged.')
}

/** The code that vouches for the safes. */
export async function pkcs12Mac(origin: KeyOrigin, safes: Buffer): Promise<Buffer> {
  const sizeBytes = createHmac(origin.hash, '').digest().length
  return createHmac(origin.hash, await pkcs12Key(keyPurpose.mac, origin, sizeBytes))
    .update(safes)
    .digest()
}

function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

async function openSafe(safe: Asn1, password: Password, bags: Bags): Promise<void> {
  const isEncrypted = safe.child(0).oid === identifiers.encryptedData
  const content = isEncrypted ? await decryptSafe(safe.child(1).child(0), password) : dataOf(safe)
  await openBags(Asn1.read(content), password, bags)
}

/** EncryptedData = { version, { sort, algorithm, [0] octets } } */
async function decryptSafe(encryptedData: Asn1, password: Password): Promise<Buffer> {
  const [, algorithm, encrypted] = encryptedData.child(1).children
  if (!algorithm || !encrypted) throw new Error('A part is missing.')
  return await decryptWithPassword(algorithm, encrypted.octets, password)
}

function limited(safes: readonly Asn1[]): readonly Asn1[] {
  if (safes.length > safesMax)
    throw new CertificateUnreadable(`The PKCS #12 file has more than ${safesMax} safes.`)
  return safes
}

/** Bags of other sorts, such as lists of revoked certificates, are passed over. */
async function openBags(contents: Asn1, password: Password, bags: Bags): Promise<void> {
  for (const bag of contents.children) {
    const value = bag.child(1).child(0)
    switch (bag.child(0).oid) {
      case identifiers.certificateBag:
        addCertificate(bags, certificateOf(value))
        break
      case identifiers.keyBag:
        addKey(bags, await parsePrivateKey(value.encoded))
        break
      case identifiers.shroudedKeyBag:
        addKey(bags, await parsePrivateKey(await decryptKey(value, password)))
        break
    }
  }
}

function addCertificate({ certificates }: Bags, certificate: X509Certificate): void {
  if (certificates.push(certificate) > certificatesMax) {
    throw new CertificateUnreadable(`The PKCS #12 file holds more than ${certificatesMax} certificates.`)
  }
}

function addKey({ privateKeys }: Bags, privateKey: KeyObject): void {
  if (privateKeys.push(privateKey) > 1) {
    throw new CertificateUnreadable('The PKCS #12 file holds several private keys. Expected was one.')
  }
}

/** { sort, [0] OCTET STRING } */
function certificateOf(value: Asn1): X509Certificate {
  if (value.child(0).oid !== identifiers.x509Certificate) {
    throw new CertificateUnreadable('The PKCS #12 file holds a certificate that is not of X.509.')
  }
  return parseCertificate(value.child(1).child(0).octets)
}

async function decryptKey(value: Asn1, password: Password): Promise<Buffer> {
  return await decryptWithPassword(value.child(0), value.child(1).octets, password)
}

function contentOf({ certificates, privateKeys }: Bags): Pkcs12Content {
  const [privateKey] = privateKeys
  if (!privateKey) throw new CertificateUnreadable('The PKCS #12 file holds no private key.')
  const certificate = certificates.find((candidate) => keyMatchesCertificate(candidate, privateKey))
  if (!certificate)
    throw new CertificateUnreadable('The PKCS #12 file holds no certificate of its private key.')
  return {
    certificate: certificatePem(certificate),
    privateKey: privateKeyPem(privateKey),
    intermediates: orderChain(certificate, certificates).map(certificatePem),
  }
}
