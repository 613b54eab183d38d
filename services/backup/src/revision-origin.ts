import type { BackupSource, VolumeDescription } from '@palisade/agent-protocol'
import { LazyValidator } from '@palisade/platform'
import { type Static, Type } from 'typebox'

/**
 * What a revision was of when it was made, as people call it; an agent that is gone cannot be asked any more. Kept with the row, and
 * with the revision in the vault.
 */
export const RevisionOrigin = Type.Object({
  /** As the backup was asked for, by its owner or by a backup set. */
  source: Type.Object({ path: Type.String(), partition: Type.Optional(Type.Integer()) }),
  /** As the computer called itself; null when its agent had not said so. */
  hostName: Type.Union([Type.String(), Type.Null()]),
  /** Of the set that made it; null of a backup that was started by itself. */
  setName: Type.Union([Type.String(), Type.Null()]),
})
export type RevisionOrigin = Static<typeof RevisionOrigin>

const form = new LazyValidator(RevisionOrigin)

/** Undefined when there is none, as in revisions of earlier versions, or a later version has written it in another form. */
export function readOrigin(value: unknown): RevisionOrigin | undefined {
  return form.Check(value) ? value : undefined
}

/** What a revision is of in words that a human knows: what its origin says, and for earlier ones what its agent had read. */
export function sourceOf(
  { sourcePath, placement }: VolumeDescription,
  origin: RevisionOrigin | null,
): BackupSource {
  if (origin) return origin.source
  return placement ? { path: sourcePath, partition: placement.number } : { path: sourcePath }
}
