import { type RefusalCode, RequestRefused } from '@palisade/platform'
import { VaultFailure, type VaultFailureCode } from '@palisade/vault'
import type { FastifyInstance } from 'fastify'
import type { TaskError } from '../tasks/task.ts'

/** Codes of systems and of object storage for a place that takes no more. */
const fullCodes = /\b(?:ENOSPC|EDQUOT|QuotaExceeded\w*|InsufficientStorage|XMinioStorageFull|status 507)\b/

/** What a backup waits for when the vault cannot take what its agent sends. Paths and what a system says stay in the log. */
export function vaultTrouble(failure: VaultFailure): TaskError {
  const cause = failure.cause instanceof Error ? failure.cause : undefined
  const text = [failure.message, cause?.message, cause && 'code' in cause ? cause.code : ''].join(' ')
  return fullCodes.test(text)
    ? {
        code: 'VaultFull',
        message: 'The vault has no room for this backup: free or add space where it lies.',
      }
    : {
        code: 'VaultUnavailable',
        message: `The vault cannot be written at present: ${failure.advice ?? 'the log of the server says why'}.`,
      }
}

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
