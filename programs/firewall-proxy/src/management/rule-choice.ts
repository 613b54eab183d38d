import { readFile } from 'node:fs/promises'
import { regularly } from '../regularly.ts'

/** How often it is looked whether other rules were chosen. */
const intervalMs = 1_000

/** Follows the file that names the chosen rules. A file that is not there says nothing. */
export class RuleChoiceFile {
  readonly #file: string
  #content: string

  private constructor(file: string, content: string) {
    this.#file = file
    this.#content = content
  }

  /** To be opened before rules are loaded, so that no change in between is missed. */
  static async open(file: string): Promise<RuleChoiceFile> {
    return new RuleChoiceFile(file, await contentOf(file))
  }

  /** Calls back whenever the file says something else than before, until the signal is aborted. */
  follow(onChange: () => Promise<void>, signal: AbortSignal): Promise<void> {
    return regularly(intervalMs, signal, async () => {
      const content = await contentOf(this.#file)
      if (signal.aborted || content === this.#content) return
      this.#content = content
      await onChange()
    })
  }
}

function contentOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '')
}
