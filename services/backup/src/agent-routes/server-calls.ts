/**
 * What servers of one installation ask each other beside what they pass on: a server that stands by, and receives chunks of a backup,
 * asks the one that has the vault for leave to store them itself, and tells it of each pack. Both calls carry the credential of the agent
 * that has sent the chunks, which is judged as if it had called itself.
 *
 *     POST /servers/v1/backups/{id}/upload          200 Leave
 *     POST /servers/v1/backups/{id}/packs/{pack}    200 Taken
 */
import { createHmac } from 'node:crypto'
import { equalInConstantTime } from '@palisade/platform'
import { Type } from 'typebox'

const root = '/servers/v1/backups'

/** The addresses that only servers of the same installation use, below the base path of the service. */
export const serverPaths = {
  upload: (backupId: string) => `${root}/${backupId}/upload`,
  pack: (backupId: string, packId: string) => `${root}/${backupId}/packs/${packId}`,
} as const

/** Says that a request comes from another server of the installation, and is not passed on once more. */
export const relayedHeader = 'palisade-relayed'

/** Proves that a call comes from a server of the same installation. */
export const serverProofHeader = 'palisade-server-proof'

/** What chunks of a backup are stored by. */
export const Leave = Type.Object({
  accountId: Type.String(),
  computerId: Type.String(),
  /** Whether the computer seals its chunks with a key of its own. */
  endToEnd: Type.Boolean(),
  vault: Type.String({ description: 'The id of the vault that the backup goes to.' }),
})

/** Whether the vault counts on a pack now. */
export const PackReceipt = Type.Object({ taken: Type.Boolean() })

/**
 * Makes and recognises proofs. A proof holds for one backup, one pack and one credential; whoever has seen it can only repeat the very
 * call, which changes nothing.
 */
export class ServerProofs {
  readonly #key: Buffer

  /** @param key that all servers of the installation have, and nobody else */
  constructor(key: Buffer) {
    this.#key = createHmac('sha256', key).update('calls between the servers of an installation').digest()
  }

  /**
   * @param authorization the header with the agent's credential
   * @param about the backup, and the pack where there is one
   */
  of(authorization: string, ...about: readonly string[]): string {
    return createHmac('sha256', this.#key)
      .update([authorization, ...about].join('\n'))
      .digest('hex')
  }

  isProof(proof: unknown, authorization: string, ...about: readonly string[]): boolean {
    return typeof proof === 'string' && equalInConstantTime(proof, this.of(authorization, ...about))
  }
}
