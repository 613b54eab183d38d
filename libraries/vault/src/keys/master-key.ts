import { VaultFailure } from '../failure.ts'
import { masterKeyBytes } from './derive.ts'
import { readKeyFile } from './key-file.ts'
import { masterKeyFromPassphrase, type PassphraseParameters } from './passphrase.ts'

/** Where the master key of a vault comes from. */
export type KeySource =
  | { readonly file: string }
  | { readonly passphrase: string }
  /** 32 bytes that the caller keeps safe by other means. */
  | { readonly bytes: Uint8Array }

/** @throws VaultFailure `bad-key-file`, `wrong-key` when the vault has no passphrase, `invalid-argument` */
export async function loadMasterKey(
  source: KeySource,
  parameters: PassphraseParameters | null,
): Promise<Uint8Array> {
  if ('file' in source) return readKeyFile(source.file)
  if ('passphrase' in source) {
    if (!parameters) throw new VaultFailure('wrong-key', 'this vault has a key file, not a passphrase')
    return masterKeyFromPassphrase(source.passphrase, parameters)
  }
  if (source.bytes.length !== masterKeyBytes) {
    throw new VaultFailure('invalid-argument', `a master key has ${masterKeyBytes} bytes`)
  }
  return Uint8Array.from(source.bytes)
}
