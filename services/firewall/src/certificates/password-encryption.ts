import { createDecipheriv, pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import type { Asn1 } from './asn1.ts'
import { CertificateUnreadable, orUnreadable } from './certificate-unreadable.ts'
import { type KeyOrigin, keyPurpose, pkcs12Key, pkcs12Password } from './pkcs12-key.ts'
import { decryptRc2Cbc } from './rc2.ts'

/** The identifiers of what is used for PBES2 (RFC 8018, appendix A), in which both directions are at home. */
export const pbes2Identifiers = {
  pbes2: '1.2.840.113549.1.5.13',
  pbkdf2: '1.2.840.113549.1.5.12',
  hmacWithSha256: '1.2.840.113549.2.9',
  aes256Cbc: '2.16.840.1.101.3.4.1.42',
} as const

/** A password, as text and, when the file says how it took it, as PKCS #12 counts its bytes. */
export interface Password {
  readonly text: string
  readonly pkcs12?: Buffer
}

/** How often a password may be hashed for one key; more would hold up the server for seconds. */
export const iterationsMax = 2_000_000

/** A cipher in CBC mode by its name in node:crypto, but RC2, which is ours. */
interface Cipher {
  readonly name: string
  readonly keySizeBytes: number
}

const pbkdf2Later = promisify(pbkdf2)

/** Pseudo-random functions of PBKDF2 by their object identifiers; the hash of the HMAC. */
const pbkdf2Hashes: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.8': 'sha224',
  [pbes2Identifiers.hmacWithSha256]: 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
}

const pbes2Ciphers: Readonly<Record<string, Cipher>> = {
  '1.2.840.113549.3.7': { name: 'des-ede3-cbc', keySizeBytes: 24 },
  '2.16.840.1.101.3.4.1.2': { name: 'aes-128-cbc', keySizeBytes: 16 },
  '2.16.840.1.101.3.4.1.22': { name: 'aes-192-cbc', keySizeBytes: 24 },
  [pbes2Identifiers.aes256Cbc]: { name: 'aes-256-cbc', keySizeBytes: 32 },
}

/** RFC 7292, appendix C; all of them hash with SHA-1. RC4, which is there too, is left out. */
const pkcs12Ciphers: Readonly<Record<string, Cipher>> = {
  '1.2.840.113549.1.12.1.3': { name: 'des-ede3-cbc', keySizeBytes: 24 },
  '1.2.840.113549.1.12.1.4': { name: 'des-ede-cbc', keySizeBytes: 16 },
  '1.2.840.113549.1.12.1.5': { name: 'rc2', keySizeBytes: 16 },
  '1.2.840.113549.1.12.1.6': { name: 'rc2', keySizeBytes: 5 },
}
const pkcs12BlockSizeBytes = 8

/** Said wherever the two cannot be told apart. */
export const wrongPassword = 'The password is wrong, or what it protects is damaged.'

/** How a key is made and what it opens, as the file says it. */
interface Scheme {
  readonly cipher: Cipher
  /** A hash by its name in node:crypto. */
  readonly hash: string
  readonly salt: Buffer
  readonly iterations: number
  /** PKCS #12 makes it of the password too. */
  readonly iv: Buffer | undefined
}

/**
 * Decrypts what a password protects: PBES2 (RFC 8018) with PBKDF2 and AES or triple DES, and the ciphers of
 * PKCS #12 with triple DES or RC2.
 *
 * @param algorithm the AlgorithmIdentifier
 * @returns text that is right with a likelihood of 255 in 256: what it is has to be checked
 * @throws CertificateUnreadable for another algorithm, and for a wrong password as far as it shows
 */
export async function decryptWithPassword(
  algorithm: Asn1,
  encrypted: Buffer,
  password: Password,
): Promise<Buffer> {
  const scheme = orUnreadable(
    `How the content is encrypted cannot be read: it is damaged, or hashes the password more than ${iterationsMax} times.`,
    () => readScheme(algorithm),
  )
  const { key, iv } = await keyOf(scheme, password)
  return orUnreadable(wrongPassword, () => {
    if (scheme.cipher.name === 'rc2') return decryptRc2Cbc(key, iv, encrypted)
    const decipher = createDecipheriv(scheme.cipher.name, key, iv)
    return Buffer.concat([decipher.update(encrypted), decipher.final()])
  })
}

function readScheme(algorithm: Asn1): Scheme {
  const oid = algorithm.child(0).oid
  const parameters = algorithm.child(1)
  if (oid === pbes2Identifiers.pbes2) return readPbes2(parameters)
  return {
    cipher: entryOf(pkcs12Ciphers, oid),
    hash: 'sha1',
    salt: parameters.child(0).octets,
    iterations: parameters.child(1).count(iterationsMax),
    iv: undefined,
  }
}

/**
 * SEQUENCE { keyDerivationFunc { pbkdf2, { salt, iterations, keyLength OPTIONAL, prf DEFAULT HMAC-SHA-1 } },
 * encryptionScheme { cipher, iv } }
 */
function readPbes2(parameters: Asn1): Scheme {
  const [derivation, encryption] = [parameters.child(0), parameters.child(1)]
  if (derivation.child(0).oid !== pbes2Identifiers.pbkdf2) throw unknownAlgorithm(derivation.child(0).oid)
  const [salt, iterations, ...options] = derivation.child(1).children
  const prf = options.find(({ isSequence }) => isSequence)
  if (!salt || !iterations) throw new Error('A part is missing.')
  return {
    cipher: entryOf(pbes2Ciphers, encryption.child(0).oid),
    hash: prf ? entryOf(pbkdf2Hashes, prf.child(0).oid) : 'sha1',
    salt: salt.octets,
    iterations: iterations.count(iterationsMax),
    iv: encryption.child(1).octets,
  }
}

function entryOf<T>(table: Readonly<Record<string, T>>, oid: string): T {
  const entry = table[oid]
  if (entry === undefined) throw unknownAlgorithm(oid)
  return entry
}

function unknownAlgorithm(oid: string): CertificateUnreadable {
  return new CertificateUnreadable(
    `The content is encrypted with an algorithm that is not known here (${oid}). Expected was PBES2 with PBKDF2 and AES, or triple DES or RC2 of PKCS #12.`,
  )
}

async function keyOf(scheme: Scheme, password: Password): Promise<{ key: Buffer; iv: Buffer }> {
  const { cipher, hash, salt, iterations, iv } = scheme
  if (iv) return { key: await pbkdf2Later(password.text, salt, iterations, cipher.keySizeBytes, hash), iv }
  const origin: KeyOrigin = {
    hash,
    salt,
    iterations,
    password: password.pkcs12 ?? pkcs12Password(password.text),
  }
  return {
    key: await pkcs12Key(keyPurpose.encryption, origin, cipher.keySizeBytes),
    iv: await pkcs12Key(keyPurpose.initialisationVector, origin, pkcs12BlockSizeBytes),
  }
}
