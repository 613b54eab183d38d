import type { StagedFile } from '../direct-io/staged-file.ts'
import { VaultFailure } from '../failure.ts'
import type { ObjectWriter } from './backend.ts'

/** What a backend does of the writing of one of its files. */
export interface FileWriterSteps {
  /** Does a part of it, and says of a failure what was being done. */
  step<Result>(doing: string, work: () => Promise<Result>): Promise<Result>
  /** Gives the complete file its name, for good. */
  moveIntoPlace(): Promise<void>
  /** Removes what was written. */
  remove(): Promise<void>
}

/** Writes an object into a file that gets its name when it is complete. */
export class FileWriter implements ObjectWriter {
  readonly #file: StagedFile
  readonly #steps: FileWriterSteps
  #state: 'open' | 'committed' | 'given-up' = 'open'

  constructor(file: StagedFile, steps: FileWriterSteps) {
    this.#file = file
    this.#steps = steps
  }

  async write(pieces: readonly Uint8Array[]): Promise<void> {
    this.#assertOpen()
    try {
      await this.#steps.step('writing', () => this.#file.append(pieces))
    } catch (error) {
      await this.abort()
      throw error
    }
  }

  async commit(): Promise<void> {
    this.#assertOpen()
    try {
      await this.#steps.step('writing', () => this.#file.end())
      await this.#steps.step('flushing', async () => {
        await this.#file.sync()
        await this.#file.close()
        await this.#steps.moveIntoPlace()
      })
    } catch (error) {
      await this.abort()
      throw error
    }
    this.#state = 'committed'
  }

  async abort(): Promise<void> {
    if (this.#state !== 'open') return
    this.#state = 'given-up'
    await this.#steps.step('giving up', async () => {
      await this.#file.close()
      await this.#steps.remove()
    })
  }

  #assertOpen(): void {
    if (this.#state !== 'open') throw new VaultFailure('closed', 'the object is no longer being written')
  }
}
