import 'reflect-metadata'
import { generateKeyPair, type KeyObject, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import * as x509 from '@peculiar/x509'
import { type AlternativeName, hostName, parseAlternativeNames } from './alternative-names.ts'
import { CertificateUnreadable } from './certificate-unreadable.ts'
import { curves } from './key-type.ts'
import { signingKeys } from './signing-keys.ts'

/** The key to be made: RSA of so many bits, or ECDSA on a curve by its name in SEC 2. */
export type NewKey =
  | { readonly type: 'RSA'; readonly bits: 1024 | 2048 | 4096 }
  | { readonly type: 'ECDSA'; readonly curve: keyof typeof curves }

/** What a new certificate is to say. Parts of the subject that are left out or empty do not appear in it. */
export interface SelfSignedRequest {
  readonly commonName: string
  /** Two letters (ISO 3166-1). */
  readonly countryCode?: string
  readonly state?: string
  readonly city?: string
  readonly organizationName?: string
  readonly organizationalUnit?: string
  /**
   * As clients write them, see `parseAlternativeNames`. Without any, a common name that is a host name is taken,
   * because browsers look at nothing else.
   */
  readonly subjectAlternativeNames?: readonly string[]
  readonly key: NewKey
  readonly notBefore: Date
  /** Whole days, from 1. */
  readonly validityDays: number
}

/** A certificate and its private key (PKCS #8), both PEM. */
export interface CertificateWithKey {
  readonly certificatePem: string
  readonly privateKeyPem: string
}

const dayMs = 86_400_000
const serialNumberSizeBytes = 16
const generate = promisify(generateKeyPair)

/**
 * Makes a key, in a thread of its own, and a certificate for servers that it signs itself. The certificate is no
 * authority's: who trusts it trusts this server and nothing else. It does not say what its key may be used for,
 * since OpenSSL before 3 then takes it for one whose issuer is missing.
 *
 * @throws CertificateUnreadable when an alternative name or the country is not one
 */
export async function makeSelfSigned(request: SelfSignedRequest): Promise<CertificateWithKey> {
  const names = alternativeNames(request)
  const subject = subjectOf(request)
  const privateKey = await newPrivateKey(request.key)
  const { keys, algorithm } = signingKeys(privateKey)
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerialNumber(),
    name: subject,
    notBefore: request.notBefore,
    notAfter: new Date(request.notBefore.getTime() + request.validityDays * dayMs),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension([...names])] : []),
    ],
  })
  return {
    certificatePem: `${certificate.toString('pem').trim()}\n`,
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** @returns a new key, made in a thread of its own */
export async function newPrivateKey(key: NewKey): Promise<KeyObject> {
  const pair =
    key.type === 'RSA'
      ? await generate('rsa', { modulusLength: key.bits })
      : await generate('ec', { namedCurve: curves[key.curve] })
  return pair.privateKey
}

function alternativeNames({
  commonName,
  subjectAlternativeNames = [],
}: SelfSignedRequest): AlternativeName[] {
  const names = parseAlternativeNames(subjectAlternativeNames)
  if (names.length > 0) return names
  return hostName(commonName) === undefined ? [] : parseAlternativeNames([commonName])
}

function subjectOf(request: SelfSignedRequest): x509.Name {
  const { countryCode = '' } = request
  if (countryCode !== '' && !/^[a-z]{2}$/i.test(countryCode)) {
    throw new CertificateUnreadable(`"${countryCode}" is no country code. Expected were two letters.`)
  }
  const parts: readonly (readonly [string, string | undefined])[] = [
    ['ST', request.state],
    ['L', request.city],
    ['O', request.organizationName],
    ['OU', request.organizationalUnit],
    ['CN', request.commonName],
  ]
  return new x509.Name([
    ...(countryCode === '' ? [] : [{ C: [{ printableString: countryCode.toUpperCase() }] }]),
    ...parts.flatMap(([type, value]) => (value ? [{ [type]: [{ utf8String: value }] }] : [])),
  ])
}

/** Positive and of full length: its first bits are 01. */
export function newSerialNumber(): string {
  const bytes = randomBytes(serialNumberSizeBytes)
  bytes.writeUInt8((bytes.readUInt8(0) & 0x3f) | 0x40, 0)
  return bytes.toString('hex')
}
