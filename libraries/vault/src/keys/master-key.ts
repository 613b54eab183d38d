import { VaultFailure } from '../failure.ts'
import { masterKeyBytes } from './derive.ts'
import { readKeyFile } from './key-file.ts'
import { keyFromPassphrase, type PassphraseParameters } from './passphrase.ts'

/** What opens a vault. */
export type KeySource =
  | { readonly file: string }
  | { readonly passphrase: string }
  /** 32 bytes, as in a key file, that the caller keeps safe by other means. */
  | { readonly bytes: Uint8Array }

/**
 * The 32 bytes that a key source stands for. A passphrase needs the parameters of its slot, and everything else must have
 * none.
 *
 * @throws VaultFailure `bad-key-file`, `invalid-argument`
 */
export async function userKeyOf(
  source: KeySource,
  parameters: PassphraseParameters | null,
): Promise<Uint8Array> {
  if ('file' in source) return readKeyFile(source.file)
  if ('passphrase' in source) {
    if (!parameters) throw new VaultFailure('invalid-argument', 'a passphrase needs parameters')
    return keyFromPassphrase(source.passphrase, parameters)
  }
  if (source.bytes.length !== masterKeyBytes) {
    throw new VaultFailure('invalid-argument', `a key has ${masterKeyBytes} bytes`)
  }
  return Uint8Array.from(source.bytes)
}
