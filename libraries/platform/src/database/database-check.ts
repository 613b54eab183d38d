import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '@palisade/log'

/** A start waits so long for a check. In that time some gigabytes are looked through where the disk is fast. */
const waitMs = 20_000

const whatToDo = 'see "The database is damaged" in docs/operating/emergencies.md'

/**
 * Looks through the embedded database for damage, without writing: the form of all pages and rows (`PRAGMA quick_check`). What a page
 * says is not compared with anything: bytes that changed within a text are not seen.
 */
export class DatabaseCheck {
  readonly #child: ChildProcess | undefined
  readonly #damage: Promise<string>
  #message = ''

  private constructor(child: ChildProcess | undefined, log: Log) {
    this.#child = child
    this.#damage = child === undefined ? Promise.resolve('') : answerOf(child, log)
  }

  /**
   * Begins a check, and waits for its end, but no longer than 20 seconds: a large database is looked through while the server runs.
   *
   * @param file of the database; where there is none, all is well
   * @throws Error that says what to do when the database is damaged; of the system when this user may not open it, which is no damage
   */
  static async begin(file: string, log: Log, waitMaxMs = waitMs): Promise<DatabaseCheck> {
    for (const path of [file, `${file}-wal`, `${file}-shm`])
      if (existsSync(path)) closeSync(openSync(path, 'r+'))
    const check = new DatabaseCheck(existsSync(file) ? startProgram(file) : undefined, log)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, waitMaxMs, undefined)
    })
    const damage = await Promise.race([check.#damage, late])
    clearTimeout(timer)
    if (damage === undefined) {
      log.info({ file }, 'the database is large; it is looked through while the server runs')
      void check.#damage.then((damage) => check.#tell(file, damage, log))
    } else if (damage !== '') {
      throw new Error(
        `the database ${file} is damaged (${firstLineOf(damage)}); nothing was written to it; ${whatToDo}`,
      )
    }
    return check
  }

  /** What a check has found that went on beside the server; empty as long as it has found nothing. */
  get damage(): string {
    return this.#message
  }

  /** Ends a check that is under way. */
  close(): void {
    this.#child?.removeAllListeners('exit')
    this.#child?.kill('SIGKILL')
  }

  #tell(file: string, damage: string, log: Log): void {
    if (damage === '') {
      log.info({ file }, 'the database was looked through, and no damage was found')
      return
    }
    this.#message = `The database ${file} is damaged (${firstLineOf(damage)}): stop the server; ${whatToDo}.`
    log.error(this.#message)
  }
}

/** Where the embedded database of a data directory is. */
export function databaseFile(dataDirectory: string): string {
  return join(dataDirectory, 'palisade.sqlite')
}

function startProgram(file: string): ChildProcess {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return fork(new URL(`./check-program.${extension}`, import.meta.url), [file], { stdio: 'ignore' })
}

/** @returns the damage; empty when there is none, or the program came to no end, which is logged */
async function answerOf(child: ChildProcess, log: Log): Promise<string> {
  let damage: string | undefined
  child.once('message', (message) => {
    damage = String(message)
  })
  const [status] = await once(child, 'exit').catch((error: unknown) => [error])
  if (damage === undefined) log.warn({ status }, 'the database could not be looked through for damage')
  return damage ?? ''
}

/** SQLite names a page in the first line or in the one after that. */
function firstLineOf(damage: string): string {
  return damage.replace(/^\*{3}[^\n]*\n/, '').split('\n', 1)[0] ?? ''
}
