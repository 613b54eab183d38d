/**
 * What this process knows of the revisions of a domain apart from what the storage says at a moment: those that were listed or
 * committed before, and those that were deleted. A storage that leaves one out for a while makes nobody believe that it is gone.
 */
export class RememberedRevisions {
  readonly #present = new Set<string>()
  readonly #deleted = new Set<string>()
  /** How many deletions of a revision go on. */
  readonly #deletions = new Map<string, number>()

  /** Notes one that was committed. */
  add(revision: string): void {
    this.#present.add(revision)
    this.#deleted.delete(revision)
  }

  /** Notes one that the storage has shown, unless it was deleted since {@link forgetDeleted}. */
  addShown(revision: string): void {
    if (!this.#deleted.has(revision)) this.#present.add(revision)
  }

  /** Deletes one from the storage. While that goes on, and when it has succeeded, nobody misses it. */
  async deleteBy(revision: string, deletion: () => Promise<void>): Promise<void> {
    this.#deletions.set(revision, (this.#deletions.get(revision) ?? 0) + 1)
    try {
      await deletion()
      this.#present.delete(revision)
      this.#deleted.add(revision)
    } finally {
      const others = (this.#deletions.get(revision) ?? 0) - 1
      if (others > 0) this.#deletions.set(revision, others)
      else this.#deletions.delete(revision)
    }
  }

  /** Whether it is being deleted, or was since {@link forgetDeleted}. */
  wasDeleted(revision: string): boolean {
    return this.#deleted.has(revision) || this.#deletions.has(revision)
  }

  forgetDeleted(): void {
    this.#deleted.clear()
  }

  /** All that are known to be there. */
  present(): string[] {
    return [...this.#present]
  }
}
