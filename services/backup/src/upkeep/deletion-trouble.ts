import { isVaultFailure } from '@palisade/vault'

/** Why the storage refused the last deletions of what is no longer needed. */
export class DeletionTrouble {
  #reason: string | undefined

  /** Half a sentence without paths; undefined when nothing is wrong. */
  get reason(): string | undefined {
    return this.#reason
  }

  /** Notes a failed deletion, where it is the storage that failed. */
  note(error: unknown): void {
    if (isVaultFailure(error, 'storage')) this.#reason = error.advice ?? 'the log of the server says why'
  }

  /** Everything that was due could be deleted. */
  end(): void {
    this.#reason = undefined
  }
}
