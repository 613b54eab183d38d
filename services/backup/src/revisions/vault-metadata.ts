import { CommitMetadata } from '@palisade/agent-protocol'
import { LazyValidator } from '@palisade/platform'
import { type Static, Type } from 'typebox'
import type { RevisionOrigin } from '../revision-origin.ts'

const Known = Type.Object({ backupId: Type.String(), commit: CommitMetadata })

/**
 * What the vault keeps with a revision for this service: everything that its row says, so that the row can be
 * written from it when a crash or a lost database took it away.
 */
export type VaultMetadata = Static<typeof Known> & {
  /** Left out by versions that did not keep it; `readOrigin` reads it. */
  readonly origin?: RevisionOrigin
}

const form = new LazyValidator(Known)

/** Undefined when the revision was not written by this service. */
export function readVaultMetadata(
  metadata: unknown,
): (Static<typeof Known> & { origin?: unknown }) | undefined {
  return form.Check(metadata) ? metadata : undefined
}
