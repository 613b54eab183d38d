import { type RefusalCode, RequestRefused } from '@palisade/platform'
import { VaultFailure, type VaultFailureCode } from '@palisade/vault'
import type { FastifyInstance } from 'fastify'

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
  // Another machine has taken the vault over.
  locked: 'unavailable',
  'not-a-vault': 'internal',
  'vault-exists': 'internal',
  'place-not-empty': 'internal',
  'unsupported-format': 'internal',
  'wrong-key': 'internal',
  'bad-key-file': 'internal',
} as const satisfies Record<VaultFailureCode, RefusalCode>

/**
 * From here on, failures of the vault in this scope are refusals. They are logged; what the storage says (paths,
 * system errors) stays there.
 */
export function refuseVaultFailures(scope: FastifyInstance): void {
  scope.setErrorHandler((error, request) => {
    if (!(error instanceof VaultFailure)) throw error
    const code = refusals[error.code]
    if (code === 'internal') throw error
    request.log.warn({ err: error }, 'the vault could not do what an agent needs')
    throw new RequestRefused(
      code,
      code === 'unavailable' ? 'The vault cannot serve this now.' : `${error.message}.`,
    )
  })
}
