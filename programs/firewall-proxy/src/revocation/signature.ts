import { constants, type KeyObject, verify } from 'node:crypto'
import { type DerValue, derObjectIdentifier, derSequence } from './der.ts'

const pss = '1.2.840.113549.1.1.10'

/** The digests of signature algorithms; null where the algorithm has its own. Those with SHA-1 are not taken. */
const digests: Readonly<Record<string, string | null>> = {
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
  '1.3.101.112': null,
  '1.3.101.113': null,
}

const hashes: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}

/** Data with a signature, as in certificates and revocation lists (RFC 5280, section 4.1.1). */
export interface SignedData {
  /** The bytes that are signed. */
  readonly content: Buffer
  readonly algorithm: DerValue
  /** BIT STRING without the count of unused bits. */
  readonly signature: Buffer
}

/** Whether it was signed with the key; false for an algorithm that is not supported. @throws DerUnreadable */
export function isSignedBy({ content, algorithm, signature }: SignedData, key: KeyObject): boolean {
  const [name, parameters] = derSequence(algorithm)
  const oid = derObjectIdentifier(name)
  const digest = oid === pss ? digestOfPss(parameters) : digests[oid]
  if (digest === undefined) return false
  const padding =
    oid === pss
      ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO }
      : {}
  try {
    return verify(digest, content, { key, ...padding }, signature)
  } catch {
    // The key is of another sort.
    return false
  }
}

/** SHA-1 where the parameters name no digest (RFC 4055, section 3.1), which is not taken. */
function digestOfPss(parameters: DerValue | undefined): string | undefined {
  const hash = derSequence(parameters).find(({ tag }) => tag === 0xa0)
  if (hash === undefined) return undefined
  const [algorithm] = derSequence({ ...hash, tag: 0x30 })
  const [name] = derSequence(algorithm)
  return hashes[derObjectIdentifier(name)]
}
