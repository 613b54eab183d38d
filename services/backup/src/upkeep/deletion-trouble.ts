import { isVaultFailure } from '@palisade/vault'

/** Why the vault did not delete what is no longer needed, when that was tried last. */
export class DeletionTrouble {
  #reason: string | undefined

  /** Half a sentence without paths; undefined when nothing is wrong. */
  get reason(): string | undefined {
    return this.#reason
  }

  /** Something could not be deleted. What fails for another reason than the storage is none of this. */
  note(error: unknown): void {
    if (isVaultFailure(error, 'storage')) this.#reason = error.advice ?? 'the log of the server says why'
  }

  /** All that was to go has gone. */
  end(): void {
    this.#reason = undefined
  }
}
