import type { Vault } from '@palisade/vault'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { domainOf } from '../computer-id.ts'
import type { Revisions } from '../revisions/revisions.ts'
import type { AccountParams, Authorisation } from './authorisation.ts'
import { computerPattern } from './computer-path.ts'
import { ComputerPath } from './schemas.ts'

const VaultUsage = Type.Object(
  {
    revisions: Type.Integer(),
    revisionBytes: Type.Integer({ description: 'what the volumes of all revisions used, together' }),
    chunks: Type.Integer({
      description: 'chunks that are stored, each once; also those that no revision needs any more',
    }),
    chunkBytes: Type.Integer({ description: 'the same in bytes, before they are compressed' }),
    storedBytes: Type.Integer({ description: 'what the chunks occupy, compressed and sealed' }),
  },
  {
    title: 'VaultUsage',
    examples: [
      {
        revisions: 14,
        revisionBytes: 1_503_238_553_600,
        chunks: 120_400,
        chunkBytes: 63_124_275_200,
        storedBytes: 31_138_512_896,
      },
    ],
  },
)

/** What a computer occupies in the vault, beside what its revisions hold: deduplication is the difference. */
export function usageRoute(deps: {
  readonly authorisation: Authorisation
  readonly revisions: Revisions
  readonly vault: Vault
}) {
  const { authorisation, revisions, vault } = deps
  return async (scope: FastifyInstance): Promise<void> => {
    scope.get<{ Params: AccountParams }>(
      `${computerPattern}/vault-usage`,
      {
        onRequest: authorisation.require('computers_read'),
        schema: {
          operationId: 'getVaultUsage',
          summary: 'Show how much the revisions of a computer hold, and what they occupy in the vault',
          description: 'Computers share no chunks, so that what they occupy adds up to the vault.',
          tags: ['Computers'],
          params: ComputerPath,
          response: { 200: VaultUsage },
        },
      },
      async (request) => {
        const computer = authorisation.computerOf(request)
        const all = await revisions.all(computer)
        const { chunks, storedBytes } = await vault.usage(domainOf(computer))
        return {
          revisions: all.length,
          revisionBytes: all.reduce((sum, { volume }) => sum + volume.usedBytes, 0),
          chunks,
          chunkBytes: chunks * vault.chunkSizeBytes,
          storedBytes,
        }
      },
    )
  }
}
