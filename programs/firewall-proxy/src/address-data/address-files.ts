import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '@palisade/log'
import { whyUnreadable } from '@palisade/start-up'
import { regularly } from '../regularly.ts'
import { listBytesMax, Unusable, usableList, writeCopy } from './address-copies.ts'
import { addressCategories, copyOfList, geoipCopy, problemsCopy } from './address-data.ts'
import { GeoipDatabase, GeoipDatabaseError } from './geoip-database.ts'

/** What the operator brings, on this machine. */
export interface AddressFileChoice {
  /** A database of countries or cities, in the MaxMind DB format. */
  readonly geoipDatabase?: string
  /** With a file for each list, such as tor-nodes.txt. */
  readonly listsFolder?: string
}

/** How often it is looked whether files were changed. */
const intervalMs = 2_000

const mebibyte = 1024 * 1024
const databaseBytesMax = 1024 * mebibyte

interface Source {
  readonly name: string
  readonly file: string
  readonly copy: string
  readonly bytesMax: number
  /** Whether it may be missing without anything being wrong: then nobody is on the list. */
  readonly isOptional: boolean
  /** @returns what is to be said of it, although it can be used. @throws Unusable */
  readonly check: (bytes: Buffer) => string | undefined
}

/**
 * Follows the files that say something of addresses. What is good is copied to a folder of the proxy's own, from which all its workers
 * read; what is not leaves the copy of before, also when the proxy starts again.
 */
export class AddressFiles {
  readonly #folder: string
  readonly #sources: readonly Source[]
  readonly #log: Log
  readonly #seen = new Map<string, string>()
  readonly #problems = new Map<string, string>()

  private constructor(choice: AddressFileChoice, folder: string, log: Log) {
    this.#folder = folder
    this.#sources = sourcesOf(choice)
    this.#log = log
  }

  /** Makes the copies, of which those are removed that the configuration names no more. */
  static async open(choice: AddressFileChoice, folder: string, log: Log): Promise<AddressFiles> {
    const files = new AddressFiles(choice, folder, log)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const usedCopies = new Set(files.#sources.map(({ copy }) => copy))
    for (const copy of [geoipCopy, ...addressCategories.map(copyOfList)]) {
      if (!usedCopies.has(copy)) await rm(join(folder, copy), { force: true })
    }
    await files.#look()
    return files
  }

  /** Calls back whenever something else is to be read, until the signal is aborted. */
  async follow(onChange: () => void, signal: AbortSignal): Promise<void> {
    if (this.#sources.length === 0) return
    await regularly(intervalMs, signal, async () => {
      if (await this.#look()) onChange()
    })
  }

  /** @returns whether a copy, or what is wrong with a file, is another one than before */
  async #look(): Promise<boolean> {
    let isChanged = false
    for (const source of this.#sources) if (await this.#take(source)) isChanged = true
    if (isChanged || this.#sources.length === 0) {
      await writeCopy(
        join(this.#folder, problemsCopy),
        Buffer.from(JSON.stringify(Object.fromEntries(this.#problems))),
      )
    }
    return isChanged
  }

  async #take(source: Source): Promise<boolean> {
    const { name, file, copy } = source
    const state = await stateOf(file)
    if (state === this.#seen.get(name)) return false
    this.#seen.set(name, state)
    try {
      const checked = await read(source)
      if (checked === undefined) await rm(join(this.#folder, copy), { force: true })
      else await writeCopy(join(this.#folder, copy), checked.bytes)
      this.#say(name, checked?.remark)
      this.#log.info(
        { file },
        checked ? 'this file of addresses is used' : 'there is no such file of addresses',
      )
    } catch (error) {
      const reason = error instanceof Unusable ? error.message : whyUnreadable(error)
      const isKept = (await stateOf(join(this.#folder, copy))) !== absent
      this.#say(name, `${file} is not used: ${reason}.${isKept ? ' The one before goes on.' : ''}`)
      this.#log.warn({ file, reason, isKept }, 'a file of addresses is not used')
    }
    return true
  }

  #say(name: string, problem: string | undefined): void {
    if (problem === undefined) this.#problems.delete(name)
    else this.#problems.set(name, problem)
  }
}

function sourcesOf({ geoipDatabase, listsFolder }: AddressFileChoice): Source[] {
  const database: Source[] =
    geoipDatabase === undefined
      ? []
      : [
          {
            name: 'geoip',
            file: geoipDatabase,
            copy: geoipCopy,
            bytesMax: databaseBytesMax,
            isOptional: false,
            check: checkDatabase,
          },
        ]
  const lists = addressCategories.map((name) => ({
    name,
    file: join(listsFolder ?? '', copyOfList(name)),
    copy: copyOfList(name),
    bytesMax: listBytesMax,
    isOptional: true,
    check: (bytes: Buffer) => checkList(name, bytes),
  }))
  return [...database, ...(listsFolder === undefined ? [] : lists)]
}

function checkDatabase(bytes: Buffer): undefined {
  try {
    new GeoipDatabase(bytes)
  } catch (error) {
    throw error instanceof GeoipDatabaseError ? new Unusable(error.message) : error
  }
}

function checkList(name: string, bytes: Buffer): string | undefined {
  const { unreadLines } = usableList(bytes)
  const [line] = unreadLines
  if (line === undefined) return undefined
  return `In the list ${name}, line ${line}${unreadLines.length > 1 ? ` and ${unreadLines.length - 1} more name` : ' names'} no address.`
}

/** What a file holds, and what is to be said of it although it can be used. */
interface CheckedFile {
  readonly bytes: Buffer
  readonly remark: string | undefined
}

/** @returns undefined for a list that is not there, in a folder that is */
async function read({ file, bytesMax, isOptional, check }: Source): Promise<CheckedFile | undefined> {
  try {
    const { size } = await stat(file)
    if (size > bytesMax) throw new Unusable(`it is larger than ${bytesMax / mebibyte} MiB`)
    const bytes = await readFile(file)
    return { bytes, remark: check(bytes) }
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    if (isMissing && isOptional && (await stateOf(join(file, '..'))) !== absent) return undefined
    throw error
  }
}

const absent = 'absent'

/** Tells whether a file is another one, or says something else. */
function stateOf(file: string): Promise<string> {
  return stat(file).then(
    ({ ino, size, mtimeMs }) => `${ino} ${size} ${mtimeMs}`,
    (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? absent : `${error.code}`),
  )
}
