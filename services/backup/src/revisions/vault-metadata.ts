import { CommitMetadata } from '@palisade/agent-protocol'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'

/**
 * What the vault keeps with a revision for this service: everything that its row says, so that the row can be
 * written from it when a crash or a lost database took it away.
 */
const VaultMetadata = Type.Object({ backupId: Type.String(), commit: CommitMetadata })
export type VaultMetadata = Static<typeof VaultMetadata>

const form = Compile(VaultMetadata)

/** Undefined when the revision was not written by this service. */
export function readVaultMetadata(metadata: unknown): VaultMetadata | undefined {
  return form.Check(metadata) ? metadata : undefined
}
