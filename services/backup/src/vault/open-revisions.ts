import type { RevisionReader, Vault } from '@palisade/vault'
import { type ComputerId, domainOf } from '../computer-id.ts'

/**
 * The revisions that running restores read. One is opened for the first request of a restore and stays open until
 * the restore ends: its list of chunks is read once, and its chunks stay where they are.
 */
export class OpenRevisions {
  readonly #vault: Vault
  readonly #readers = new Map<string, Map<number, Promise<RevisionReader>>>()

  constructor(vault: Vault) {
    this.#vault = vault
  }

  /** @throws VaultFailure `revision-missing`, `damaged` */
  reader(computer: ComputerId, restoreId: string, revisionId: number): Promise<RevisionReader> {
    const ofRestore = this.#readers.get(restoreId) ?? new Map<number, Promise<RevisionReader>>()
    this.#readers.set(restoreId, ofRestore)
    const reader = ofRestore.get(revisionId)
    if (reader) return reader
    const opening = this.#vault.openRevision(domainOf(computer), String(revisionId))
    ofRestore.set(revisionId, opening)
    opening.catch(() => ofRestore.delete(revisionId))
    return opening
  }

  /** The restore has ended. */
  end(restoreId: string): void {
    const readers = this.#readers.get(restoreId)
    this.#readers.delete(restoreId)
    for (const opening of readers?.values() ?? []) {
      // One that could not be opened needs no closing; whoever asked for it was told why.
      opening.then(
        (reader) => reader.close(),
        () => undefined,
      )
    }
  }
}
