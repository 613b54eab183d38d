import { ConfigurationProblems, type Log } from '@palisade/platform'
import { ConfigurationError, type ConfigurationSources, readConfiguration } from '../configuration/load.ts'
import type { Configuration } from '../configuration/schema.ts'
import type { ChangedMembers } from './reload.ts'

/** A server that runs, as far as it is reloaded. */
interface ReloadableServer {
  reload(next: Configuration): Promise<ChangedMembers>
}

/** What whoever asked for a reload is told. */
export interface ReloadOutcome {
  readonly isApplied: boolean
  /** Sentences, and faults as "FILE:line:column: …"; never a secret. */
  readonly lines: readonly string[]
}

/** Reads the configuration of a running server again whenever that is asked for, one time after the other, and logs what comes of it. */
export class Reloads {
  readonly #sources: ConfigurationSources
  readonly #server: ReloadableServer
  readonly #log: Log
  #last: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(deps: { sources: ConfigurationSources; server: ReloadableServer; log: Log }) {
    this.#sources = deps.sources
    this.#server = deps.server
    this.#log = deps.log
  }

  /** Reads and applies the configuration when the reloads before have ended. */
  request(): Promise<ReloadOutcome> {
    const outcome = this.#last.then(() => this.#reload())
    this.#last = outcome
    return outcome
  }

  /** Waits for the reload that is under way; those that wait for it come to nothing. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#last
  }

  async #reload(): Promise<ReloadOutcome> {
    if (this.#isClosed) return { isApplied: false, lines: ['The server is being stopped.'] }
    try {
      return this.#tell(await this.#apply())
    } catch (error) {
      if (error instanceof ConfigurationError) {
        this.#log.error(
          { faults: error.lines },
          'the configuration is not valid: nothing of it is applied, and the server goes on as before',
        )
        return {
          isApplied: false,
          lines: [
            ...error.message.split('\n'),
            'Nothing of it is applied, and the server goes on as before.',
          ],
        }
      }
      this.#log.error({ err: error }, 'the configuration could not be applied as a whole: reload it again')
      const reason = error instanceof Error ? error.message : String(error)
      return {
        isApplied: false,
        lines: [`The configuration could not be applied as a whole: ${reason}`, 'Reload it again.'],
      }
    }
  }

  async #apply(): Promise<ChangedMembers> {
    const read = readConfiguration(this.#sources)
    try {
      return await this.#server.reload(read.configuration)
    } catch (error) {
      throw error instanceof ConfigurationProblems ? read.refusal(error.problems) : error
    }
  }

  #tell({ applied, needRestart }: ChangedMembers): ReloadOutcome {
    this.#log.info({ applied }, 'reloaded the configuration')
    if (needRestart.length > 0) {
      this.#log.warn({ members: needRestart }, 'changes of the configuration count after a restart only')
    }
    const { file } = this.#sources
    return {
      isApplied: true,
      lines: [
        `Reloaded the configuration${file === undefined ? '' : ` ${file}`}.`,
        applied.length === 0
          ? 'Nothing has changed that counts now.'
          : `These changes count now: ${applied.join(', ')}.`,
        ...(needRestart.length === 0
          ? []
          : [`These count after a restart only, and are as before: ${needRestart.join(', ')}.`]),
      ],
    }
  }
}
