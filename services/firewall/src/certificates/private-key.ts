import { createPrivateKey, createPublicKey, type KeyObject, sign, verify, X509Certificate } from 'node:crypto'
import { Asn1 } from './asn1.ts'
import { CertificateUnreadable, orUnreadable } from './certificate-unreadable.ts'
import { decryptOldPem } from './old-pem-encryption.ts'
import { decryptWithPassword } from './password-encryption.ts'
import { type PemBlock, pemBlocks } from './pem.ts'
import { parseCertificate } from './read-certificate.ts'

/**
 * Reads a private key: PKCS #8, PKCS #1 or SEC 1, as PEM or DER; also PKCS #8 encrypted with a password and PEM
 * that OpenSSL encrypted the old way. Other blocks beside it in a PEM text are passed over.
 *
 * @returns PKCS #8 as PEM, not encrypted
 * @throws CertificateUnreadable; a wrong password and a missing one have their own sentences
 */
export async function readPrivateKey(pemOrDer: string | Uint8Array, password?: string): Promise<string> {
  return privateKeyPem(await parsePrivateKey(pemOrDer, password))
}

/** The same for node:crypto. */
export async function parsePrivateKey(pemOrDer: string | Uint8Array, password = ''): Promise<KeyObject> {
  if (typeof pemOrDer !== 'string') return await keyOfDer(Buffer.from(pemOrDer), password)
  const { der, dekInfo } = keyBlock(pemOrDer)
  return dekInfo === undefined ? await keyOfDer(der, password) : keyOfOldEncryption(der, dekInfo, password)
}

/** PKCS #8 as PEM. */
export function privateKeyPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/**
 * Whether the private key is the certificate's and works: what it signs, the certificate verifies.
 *
 * @param privateKey as `readPrivateKey` gave it
 * @throws CertificateUnreadable when one of them cannot be read
 */
export function keyMatchesCertificate(
  certificate: string | Uint8Array | X509Certificate,
  privateKey: string | KeyObject,
): boolean {
  const { publicKey } = certificate instanceof X509Certificate ? certificate : parseCertificate(certificate)
  return isPair(typeof privateKey === 'string' ? keyOf({ key: privateKey }) : privateKey, publicKey)
}

function isPair(privateKey: KeyObject, publicKey: KeyObject): boolean {
  if (privateKey.asymmetricKeyType !== publicKey.asymmetricKeyType) return false
  const hash = privateKey.asymmetricKeyType?.startsWith('ed') ? null : 'sha256'
  const text = Buffer.from('one key for both')
  try {
    return verify(hash, text, publicKey, sign(hash, text, privateKey))
  } catch {
    // A key whose parts do not fit together cannot sign, which is an answer.
    return false
  }
}

function keyBlock(pem: string): PemBlock {
  const blocks = pemBlocks(pem)
  const block = blocks.find(({ label }) => label.endsWith('PRIVATE KEY'))
  if (block) return block
  const [other] = blocks
  throw new CertificateUnreadable(
    other
      ? `The text holds a PEM block "${other.label}", but no private key ("-----BEGIN PRIVATE KEY-----").`
      : 'The text holds no private key: expected was a block from "-----BEGIN PRIVATE KEY-----" to "-----END PRIVATE KEY-----".',
  )
}

async function keyOfDer(der: Buffer, password: string): Promise<KeyObject> {
  const encrypted = encryptedPkcs8(der)
  return encrypted ? await keyOfEncryptedPkcs8(encrypted, password) : keyOfPlainDer(der)
}

/** EncryptedPrivateKeyInfo (RFC 5958): an algorithm and the encrypted octets. Nothing else here starts so. */
function encryptedPkcs8(der: Buffer): readonly [Asn1, Asn1] | undefined {
  const [algorithm, encrypted, ...more] = orUnreadable(damaged, () => Asn1.read(der).children)
  const isEncrypted = algorithm?.isSequence && encrypted?.isOctetString && more.length === 0
  return isEncrypted ? [algorithm, encrypted] : undefined
}

async function keyOfEncryptedPkcs8(
  [algorithm, encrypted]: readonly [Asn1, Asn1],
  password: string,
): Promise<KeyObject> {
  requirePassword(password)
  const der = await decryptWithPassword(algorithm, encrypted.octets, { text: password })
  try {
    return keyOfPlainDer(der)
  } catch {
    // One wrong password in 256 decrypts to something that is no key.
    throw new CertificateUnreadable(wrongPassword)
  }
}

const damaged =
  'The private key is damaged: its content is not that of a private key. Expected was PKCS #8, PKCS #1 or SEC 1.'
const wrongPassword = 'The password does not open the private key, or the private key is damaged.'

function requirePassword(password: string): void {
  if (password === '')
    throw new CertificateUnreadable('The private key is encrypted, and no password was given for it.')
}

/** PKCS #8 starts with a version and an algorithm, SEC 1 with a version and octets, PKCS #1 with integers. */
function keyOfPlainDer(key: Buffer): KeyObject {
  const [, second] = orUnreadable(damaged, () => Asn1.read(key).children)
  const type = second?.isSequence ? 'pkcs8' : second?.isOctetString ? 'sec1' : 'pkcs1'
  return keyOf({ key, format: 'der', type })
}

/** OpenSSL takes keys whose numbers make no sense, and fails when they are used or written. */
function keyOf(input: Parameters<typeof createPrivateKey>[0]): KeyObject {
  const key = orUnreadable(damaged, () => createPrivateKey(input))
  const isLong = orUnreadable(damaged, () => hasLongNumbers(key))
  if (isLong) throw new CertificateUnreadable(`The private key has more than ${numberBitsMax} bits.`)
  const works = orUnreadable(damaged, () => isPair(key, createPublicKey(key)))
  if (!works) throw new CertificateUnreadable('The private key is damaged, or it is none that can sign.')
  return key
}

/**
 * Of the numbers of which a key is made. The time to sign grows with their cube: a key of 32,768 bits would hold up the server for half a minute.
 * Those of RSA need not fit together, so that its modulus alone says nothing.
 */
const numberBitsMax = 8192

function hasLongNumbers(key: KeyObject): boolean {
  const whole = Asn1.read(key.export({ type: 'pkcs8', format: 'der' }))
  const numbers = [whole, Asn1.read(whole.child(2).octets)].flatMap(numbersIn)
  return numbers.some((number) => number.bitLength > numberBitsMax)
}

function numbersIn(value: Asn1): readonly Asn1[] {
  return value.isSequence ? value.children.flatMap(numbersIn) : value.isInteger ? [value] : []
}

function keyOfOldEncryption(der: Buffer, dekInfo: string, password: string): KeyObject {
  requirePassword(password)
  const plain = decryptOldPem(der, dekInfo, password)
  try {
    return keyOfPlainDer(plain)
  } catch {
    // As for what is encrypted as PKCS #8.
    throw new CertificateUnreadable(wrongPassword)
  }
}
