import {
  type CertificateDescription,
  keyMatchesCertificate,
  orderIntermediates,
  readCertificate,
  readCertificates,
  readPkcs12,
  readPrivateKey,
  readUploadedText,
} from '../../certificates/index.ts'
import type { MemberValues } from '../../changes/behaviour.ts'
import { naming, refusalOf } from './unacceptable.ts'

/** What the members of an upload are called. */
export interface UploadMembers {
  /** Which sort of text the certificate is in; what is no PKCS #12 is PEM or DER. */
  readonly type: string
  readonly certificate: string
  readonly privateKey: string
  readonly password: string
  readonly intermediates: string
}

/** A certificate as it is kept. */
export interface Upload {
  readonly certificate: CertificateDescription
  /** PKCS #8 as PEM; undefined when none was given. It is the certificate's. */
  readonly privateKey: string | undefined
  /** PEM, in the order in which they are presented. */
  readonly intermediates: readonly string[]
}

/**
 * Reads a certificate that was uploaded with its key and the certificates above it, in PEM or PKCS #12.
 *
 * The text with the certificate may hold the certificates above it and its key as well. In a PKCS #12 file the key is
 * always there; one beside it is passed over, since there are clients that always send the member.
 *
 * @returns undefined when no certificate was given
 * @throws ConfigurationRefused not-acceptable, naming the member
 */
export async function readUpload(input: MemberValues, members: UploadMembers): Promise<Upload | undefined> {
  const text = textOf(input, members.certificate)
  if (text === undefined) return undefined
  const file = await naming(members.certificate, () => readUploadedText(text))
  const parts = isPkcs12(file, textOf(input, members.type))
    ? await partsOfPkcs12(file, input, members)
    : await partsOfPem(file, input, members)
  const certificate = await naming(members.certificate, () => readCertificate(parts.certificate))
  const above = await givenIntermediates(input, members)
  const blamed = above.length > 0 ? members.intermediates : members.certificate
  const intermediates = await naming(blamed, () =>
    orderIntermediates(certificate.pem, [...parts.intermediates, ...above]),
  )
  if (parts.privateKey !== undefined && !keyMatchesCertificate(certificate.pem, parts.privateKey)) {
    throw refusalOf(members.privateKey, 'The private key is not that of the certificate.')
  }
  return { certificate, privateKey: parts.privateKey, intermediates }
}

interface Parts {
  readonly certificate: string
  readonly privateKey: string | undefined
  readonly intermediates: readonly string[]
}

async function partsOfPkcs12(
  file: string | Buffer,
  input: MemberValues,
  members: UploadMembers,
): Promise<Parts> {
  return await naming(members.certificate, () => readPkcs12(file, textOf(input, members.password) ?? ''))
}

/** The first certificate is the one that is meant. */
async function partsOfPem(
  file: string | Buffer,
  input: MemberValues,
  members: UploadMembers,
): Promise<Parts> {
  const certificates = await naming(members.certificate, () => readCertificates(file))
  const [certificate = '', ...intermediates] = certificates.map(({ pem }) => pem)
  const password = textOf(input, members.password)
  const keyText = textOf(input, members.privateKey)
  if (keyText !== undefined) {
    const privateKey = await naming(members.privateKey, () =>
      readPrivateKey(readUploadedText(keyText), password),
    )
    return { certificate, privateKey, intermediates }
  }
  const holdsKey = typeof file === 'string' && /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(file)
  const privateKey = holdsKey
    ? await naming(members.certificate, () => readPrivateKey(file, password))
    : undefined
  return { certificate, privateKey, intermediates }
}

async function givenIntermediates(
  input: MemberValues,
  { intermediates }: UploadMembers,
): Promise<readonly (string | Buffer)[]> {
  const texts = [input.get(intermediates) ?? []].flat().map(String)
  return await naming(intermediates, () => texts.map(readUploadedText))
}

/** Bytes are told apart by what follows the outermost header: the version of a PFX, or a certificate's content. */
function isPkcs12(file: string | Buffer, type: string | undefined): boolean {
  if (type !== undefined) return /^pkcs/i.test(type)
  if (typeof file === 'string') return file.includes('-----BEGIN PKCS12-----')
  const length = file[1] ?? 0
  return file[length > 0x80 ? 2 + length - 0x80 : 2] === 0x02
}

function textOf(input: MemberValues, member: string): string | undefined {
  const value = input.get(member)
  return value === undefined ? undefined : String(value)
}
