import { createCipheriv, createHash, pbkdf2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import * as asn1js from 'asn1js'
import { CertificateUnreadable } from './certificate-unreadable.ts'
import { pbes2Identifiers } from './password-encryption.ts'
import { pkcs12Identifiers as identifiers } from './pkcs12-identifiers.ts'
import { pkcs12Password } from './pkcs12-key.ts'
import { keyMatchesCertificate, parsePrivateKey } from './private-key.ts'
import { parseCertificate, parseCertificates } from './read-certificate.ts'
import { pkcs12Mac } from './read-pkcs12.ts'

/** What goes into a PKCS #12 file. */
export interface Pkcs12Parts {
  /** PEM or DER. */
  readonly certificate: string | Uint8Array
  /** Its private key, PEM or DER, not encrypted. */
  readonly privateKey: string | Uint8Array
  /** PEM with any number of certificates in each, in the order in which they are to be presented. */
  readonly intermediates?: readonly (string | Uint8Array)[]
  /** The empty one is possible, and protects nothing. */
  readonly password: string
  /** The name under which other programs list the certificate. */
  readonly friendlyName?: string
}

/** Enough that guessing is slow, and little enough for the limits of Windows and of telephones. */
const iterations = 100_000
const saltSizeBytes = 16
const keySizeBytes = 32
const blockSizeBytes = 16
const pbkdf2Later = promisify(pbkdf2)

/**
 * Writes a PKCS #12 file (RFC 7292; its structure is drawn in read-pkcs12.ts) as OpenSSL 3 does: certificates and key
 * encrypted with AES-256 in CBC mode under PBKDF2 with HMAC-SHA-256, and a MAC with SHA-256.
 *
 * @returns DER
 * @throws CertificateUnreadable when a part cannot be read or the key is not the certificate's
 */
export async function writePkcs12(parts: Pkcs12Parts): Promise<Buffer> {
  const certificate = parseCertificate(parts.certificate)
  const privateKey = await parsePrivateKey(parts.privateKey)
  if (!keyMatchesCertificate(certificate, privateKey)) {
    throw new CertificateUnreadable('The private key is not that of the certificate.')
  }
  const attributes = bagAttributes(createHash('sha1').update(certificate.raw).digest(), parts.friendlyName)
  const others = (parts.intermediates ?? []).flatMap(parseCertificates)
  const certificates = sequence(
    certificateBag(certificate.raw, attributes),
    ...others.map(({ raw }) => certificateBag(raw)),
  )
  const keys = sequence(
    bag(
      identifiers.shroudedKeyBag,
      sequence(...(await encrypt(privateKey.export({ type: 'pkcs8', format: 'der' }), parts.password))),
      attributes,
    ),
  )
  const safes = bytesOf(
    sequence(
      await encryptedSafe(bytesOf(certificates), parts.password),
      contentInfo(identifiers.data, octets(bytesOf(keys))),
    ),
  )
  return bytesOf(
    sequence(
      new asn1js.Integer({ value: 3 }),
      contentInfo(identifiers.data, octets(safes)),
      await macData(safes, parts.password),
    ),
  )
}

/** Key and certificate find each other by the same key id. */
function bagAttributes(localKeyId: Buffer, friendlyName: string | undefined): asn1js.Set {
  const name = friendlyName
    ? [attribute(identifiers.friendlyName, new asn1js.BmpString({ value: friendlyName }))]
    : []
  return new asn1js.Set({ value: [...name, attribute(identifiers.localKeyId, octets(localKeyId))] })
}

function attribute(oid: string, value: asn1js.BaseBlock): asn1js.Sequence {
  return sequence(identifier(oid), new asn1js.Set({ value: [value] }))
}

function certificateBag(der: Buffer, attributes?: asn1js.Set): asn1js.Sequence {
  const value = sequence(identifier(identifiers.x509Certificate), tagged(octets(der)))
  return bag(identifiers.certificateBag, value, attributes)
}

function bag(oid: string, value: asn1js.BaseBlock, attributes?: asn1js.Set): asn1js.Sequence {
  return sequence(identifier(oid), tagged(value), ...(attributes ? [attributes] : []))
}

function contentInfo(oid: string, content: asn1js.BaseBlock): asn1js.Sequence {
  return sequence(identifier(oid), tagged(content))
}

async function encryptedSafe(safe: Buffer, password: string): Promise<asn1js.Sequence> {
  const [algorithm, encrypted] = await encrypt(safe, password)
  const implicitOctets = new asn1js.Primitive({
    idBlock: { tagClass: 3, tagNumber: 0 },
    valueHex: encrypted.valueBlock.valueHexView,
  })
  const encryptedContentInfo = sequence(identifier(identifiers.data), algorithm, implicitOctets)
  return contentInfo(
    identifiers.encryptedData,
    sequence(new asn1js.Integer({ value: 0 }), encryptedContentInfo),
  )
}

/** PBES2 (RFC 8018): the AlgorithmIdentifier and what is encrypted. */
async function encrypt(text: Buffer, password: string): Promise<[asn1js.Sequence, asn1js.OctetString]> {
  const [salt, iv] = [randomBytes(saltSizeBytes), randomBytes(blockSizeBytes)]
  const key = await pbkdf2Later(password, salt, iterations, keySizeBytes, 'sha256')
  const cipher = createCipheriv('aes-256-cbc', key, iv)
  const derivation = sequence(
    octets(salt),
    new asn1js.Integer({ value: iterations }),
    sequence(identifier(pbes2Identifiers.hmacWithSha256), new asn1js.Null()),
  )
  const algorithm = sequence(
    identifier(pbes2Identifiers.pbes2),
    sequence(
      sequence(identifier(pbes2Identifiers.pbkdf2), derivation),
      sequence(identifier(pbes2Identifiers.aes256Cbc), octets(iv)),
    ),
  )
  return [algorithm, octets(Buffer.concat([cipher.update(text), cipher.final()]))]
}

async function macData(safes: Buffer, password: string): Promise<asn1js.Sequence> {
  const salt = randomBytes(saltSizeBytes)
  const mac = await pkcs12Mac({ hash: 'sha256', password: pkcs12Password(password), salt, iterations }, safes)
  return sequence(
    sequence(sequence(identifier(identifiers.sha256), new asn1js.Null()), octets(mac)),
    octets(salt),
    new asn1js.Integer({ value: iterations }),
  )
}

function sequence(...value: asn1js.BaseBlock[]): asn1js.Sequence {
  return new asn1js.Sequence({ value })
}

function tagged(value: asn1js.BaseBlock): asn1js.Constructed {
  return new asn1js.Constructed({ idBlock: { tagClass: 3, tagNumber: 0 }, value: [value] })
}

function identifier(value: string): asn1js.ObjectIdentifier {
  return new asn1js.ObjectIdentifier({ value })
}

function octets(valueHex: Buffer): asn1js.OctetString {
  return new asn1js.OctetString({ valueHex })
}

function bytesOf(value: asn1js.BaseBlock): Buffer {
  return Buffer.from(value.toBER())
}
