import { type RefusalCode, RequestRefused } from '@palisade/platform'
import { VaultFailure, type VaultFailureCode } from '@palisade/vault'

/** What an agent is told when the vault cannot do what its request needs. */
const refusals = {
  'invalid-argument': 'bad-request',
  damaged: 'conflict',
  'chunk-missing': 'conflict',
  'revision-missing': 'not-found',
  'revision-exists': 'conflict',
  closed: 'conflict',
  busy: 'unavailable',
  storage: 'unavailable',
  locked: 'internal',
  'not-a-vault': 'internal',
  'vault-exists': 'internal',
  'unsupported-format': 'internal',
  'wrong-key': 'internal',
  'unsafe-key-file': 'internal',
} as const satisfies Record<VaultFailureCode, RefusalCode>

/**
 * Does something with the vault; a failure of the vault becomes a refusal. What the storage says (paths, system
 * errors) stays with the server.
 */
export async function askVault<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof VaultFailure)) throw error
    const code = refusals[error.code]
    if (code === 'internal') throw error
    const message = code === 'unavailable' ? 'The vault cannot serve this now.' : `${error.message}.`
    throw Object.assign(new RequestRefused(code, message), { cause: error })
  }
}
