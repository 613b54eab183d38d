import type { FileHandle } from 'node:fs/promises'

/**
 * Has the system bring what was written to the disk while more is being written, so that little is left to wait
 * for at the end.
 */
export class WriteBehind {
  readonly #file: FileHandle
  #running: Promise<void> | undefined
  #error: unknown

  constructor(file: FileHandle) {
    this.#file = file
  }

  /** Starts a round unless one is under way. */
  start(): void {
    this.#running ??= this.#flush()
  }

  /** Waits for the round that is under way. Rejects with the error of any that failed: later ones would not tell. */
  async settle(): Promise<void> {
    await this.#running
    if (this.#error !== undefined) throw this.#error
  }

  async #flush(): Promise<void> {
    try {
      await this.#file.datasync()
    } catch (error) {
      this.#error ??= error
    } finally {
      this.#running = undefined
    }
  }
}
