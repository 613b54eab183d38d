/**
 * What a collection is about to delete, written down in the storage before the first deletion is sent:
 *
 *     domains/<tag>/deletions/<random id>     ids of packs, one a line, in ASCII
 *
 * A deletion that is on its way while its sender loses the vault (suspended, cut off) arrives when it likes. Whoever opens the vault next
 * finds the list, and has no new revision rely on these packs: see `PackStore.findLasting`. What the revisions there needed of them
 * lies in other packs, or the sender has left the pack alone since somebody relied on it.
 *
 * A list goes when each of its packs is gone, or is needed by a revision.
 */
import { randomBytes } from 'node:crypto'
import { isVaultFailure } from '../failure.ts'
import type { DomainKeys } from '../keys/derive.ts'
import { deletionsPrefix } from '../object-names.ts'
import { readObject, type StorageBackend } from '../storage/backend.ts'

/** Where the lists of a domain lie. */
interface Place {
  readonly backend: StorageBackend
  readonly keys: DomainKeys
}

/** The lists of one domain. */
export class PlannedDeletions {
  readonly #place: Place
  /** What is still open of each list, by its object. */
  readonly #lists = new Map<string, Set<string>>()

  constructor(place: Place) {
    this.#place = place
  }

  /**
   * Reads the lists that are there.
   *
   * @param present ids of the packs that are in the storage: of others nothing is open
   */
  static async read(place: Place, present: ReadonlySet<string>): Promise<PlannedDeletions> {
    const deletions = new PlannedDeletions(place)
    for (const name of await place.backend.list(deletionsPrefix(place.keys.tag))) {
      const lines = (await readObject(place.backend, name))?.toString('latin1').split('\n') ?? []
      deletions.#lists.set(name, new Set(lines.filter((packId) => present.has(packId))))
    }
    return deletions
  }

  /** Whether a deletion of the pack may be on its way. */
  has(packId: string): boolean {
    return [...this.#lists.values()].some((packIds) => packIds.has(packId))
  }

  /**
   * To be called before packs are deleted. On a storage that is full nothing is written, and what frees space goes on.
   *
   * @throws VaultFailure `locked` when the vault is no longer ours
   */
  async plan(packIds: readonly string[]): Promise<void> {
    const unplanned = packIds.filter((packId) => !this.has(packId))
    if (unplanned.length === 0) return
    const name = deletionsPrefix(this.#place.keys.tag) + randomBytes(16).toString('hex')
    try {
      await this.#place.backend.put(name, Buffer.from(unplanned.map((packId) => `${packId}\n`).join('')))
      this.#lists.set(name, new Set(unplanned))
    } catch (error) {
      if (!isVaultFailure(error, 'storage')) throw error
    }
  }

  /** Of a pack that the storage has deleted, or that a revision needs. */
  settle(packId: string): void {
    for (const packIds of this.#lists.values()) packIds.delete(packId)
  }

  /** Removes the lists of which nothing is open. */
  async removeSettled(): Promise<void> {
    for (const [name, { size }] of [...this.#lists]) {
      if (size > 0) continue
      await this.#place.backend.delete(name)
      this.#lists.delete(name)
    }
  }
}
