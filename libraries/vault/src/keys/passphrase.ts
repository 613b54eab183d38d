import { argon2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { VaultFailure } from '../failure.ts'
import { masterKeyBytes } from './derive.ts'

/** How a passphrase becomes 32 bytes of key: Argon2id (RFC 9106). Kept in the vault's configuration, not secret. */
export interface PassphraseParameters {
  readonly algorithm: 'argon2id'
  /** 16 random bytes as hexadecimal. */
  readonly salt: string
  readonly memoryKibibytes: number
  readonly passes: number
  readonly lanes: number
}

const argon2Async = promisify(argon2)

/** The second recommendation of RFC 9106, section 4, with a fresh salt: about 0.2 s of work and 64 MiB. */
export function newPassphraseParameters(): PassphraseParameters {
  return {
    algorithm: 'argon2id',
    salt: randomBytes(16).toString('hex'),
    memoryKibibytes: 64 * 1024,
    passes: 3,
    lanes: 4,
  }
}

/**
 * The key of a passphrase, taken in Unicode normal form C so that it does not depend on the keyboard.
 *
 * @throws VaultFailure `invalid-argument` for an empty passphrase or parameters no vault of ours has: a changed
 * configuration must not make the server allocate all its memory.
 */
export async function keyFromPassphrase(
  passphrase: string,
  parameters: PassphraseParameters,
): Promise<Buffer> {
  if (passphrase === '') throw new VaultFailure('invalid-argument', 'the passphrase is empty')
  const { salt, memoryKibibytes, passes, lanes } = parameters
  const sensible =
    memoryKibibytes <= 4 * 1024 * 1024 && passes <= 64 && lanes <= 64 && /^[0-9a-f]{32}$/.test(salt)
  if (!sensible)
    throw new VaultFailure('invalid-argument', "the vault's passphrase parameters are out of range")
  return argon2Async('argon2id', {
    message: passphrase.normalize('NFC'),
    nonce: Buffer.from(salt, 'hex'),
    memory: memoryKibibytes,
    passes,
    parallelism: lanes,
    tagLength: masterKeyBytes,
  })
}
