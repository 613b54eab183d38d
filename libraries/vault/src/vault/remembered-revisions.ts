/**
 * What this process knows of the revisions of a domain apart from what the storage says at a moment: those that were listed or
 * committed before, and those that were deleted. A storage that leaves one out for a while makes nobody believe that it is gone.
 */
export class RememberedRevisions {
  readonly #present = new Set<string>()
  readonly #deleted = new Set<string>()

  add(revision: string): void {
    this.#present.add(revision)
    this.#deleted.delete(revision)
  }

  delete(revision: string): void {
    this.#present.delete(revision)
    this.#deleted.add(revision)
  }

  /** Whether it was deleted since {@link forgetDeleted}. */
  wasDeleted(revision: string): boolean {
    return this.#deleted.has(revision)
  }

  forgetDeleted(): void {
    this.#deleted.clear()
  }

  /** All that are known to be there. */
  present(): string[] {
    return [...this.#present]
  }
}
