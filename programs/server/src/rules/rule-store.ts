import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '@palisade/start-up'
import { RuleFailure } from './rule-failure.ts'

/** Where Debian's package modsecurity-crs puts its rules. */
export const debianRuleFolder = '/usr/share/modsecurity-crs/rules'

/** Debian's package among the releases. */
export const debianRelease = 'debian'

/** A release of the Core Rule Set that is on this machine. */
export interface InstalledRelease {
  /** Such as `4.20.0`, or `debian` for the package of the system. */
  readonly name: string
  /** Its rules, `*.conf`. */
  readonly folder: string
  readonly isChosen: boolean
}

/**
 * Releases of the Core Rule Set side by side, each in a folder of its name, and `current.json`, which names the one that counts:
 * proxies read it at their start and follow it. Where it is missing, Debian's package counts.
 *
 *     rules/4.20.0/rules/*.conf, plugins/, crs-setup.conf.example, crs-setup.conf where the owner puts one
 *     rules/libraries/*.so.*    shared libraries that rules ask, where the system lacks them
 *     rules/current.json        {"folder": "4.20.0/rules", "chosenAt": "2030-01-31T23:59:59.000Z"}
 */
export class RuleStore {
  readonly #dataDirectory: string
  readonly #folder: string

  /** @param dataDirectory of the server */
  constructor(dataDirectory: string) {
    this.#dataDirectory = dataDirectory
    this.#folder = join(dataDirectory, 'rules')
  }

  /** The file that proxies follow. */
  get choiceFile(): string {
    return join(this.#folder, 'current.json')
  }

  /** Shared libraries that rules ask, with what these need; missing where the system has them. */
  get libraryFolder(): string {
    return join(this.#folder, 'libraries')
  }

  /** Puts libraries in the place of those that there are. Processes that have loaded those keep them. */
  replaceLibraries(unpacked: string): void {
    rmSync(this.libraryFolder, { recursive: true, force: true })
    renameSync(unpacked, this.libraryFolder)
  }

  /** A new folder to unpack into; to be handed to {@link add}, or removed. @throws FolderFailure */
  newFolder(): string {
    const folder = join(this.#folder, `.unpacking-${process.pid}`)
    rmSync(folder, { recursive: true, force: true })
    this.#make(folder)
    return folder
  }

  /** Puts an unpacked release into its place. @throws RuleFailure when it is there already */
  add(unpacked: string, name: string): InstalledRelease {
    const folder = join(this.#folder, name)
    if (existsSync(folder)) throw new RuleFailure(`The release ${name} is installed already, in ${folder}.`)
    renameSync(unpacked, folder)
    return { name, folder: join(folder, 'rules'), isChosen: false }
  }

  /** By name; Debian's package first. @throws RuleFailure when the choice cannot be read */
  releases(): InstalledRelease[] {
    return this.#releases(this.#chosenName())
  }

  /** Needs no choice that can be read. @throws RuleFailure naming the releases that there are */
  find(name: string): InstalledRelease {
    const releases = this.#releases('')
    const release = releases.find((one) => one.name === name)
    if (release) return release
    const names = releases.map((one) => one.name).join(', ') || 'none'
    throw new RuleFailure(`There is no release ${name}; installed: ${names}.`)
  }

  /** Has proxies load this release now, also where it is the one that they have. */
  choose({ name, folder }: InstalledRelease): void {
    const choice = {
      folder: name === debianRelease ? folder : join(name, 'rules'),
      chosenAt: new Date().toISOString(),
    }
    this.#make(this.#folder)
    const next = `${this.choiceFile}.next`
    writeFileSync(next, `${JSON.stringify(choice)}\n`, { mode: 0o600 })
    renameSync(next, this.choiceFile)
  }

  #make(folder: string): void {
    makeFolder(this.#dataDirectory, 'dataDirectory')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  }

  #releases(chosen: string): InstalledRelease[] {
    const names = existsSync(this.#folder) ? readdirSync(this.#folder).filter((name) => /^\d/.test(name)) : []
    const debian = existsSync(debianRuleFolder)
      ? [{ name: debianRelease, folder: debianRuleFolder, isChosen: chosen === debianRelease }]
      : []
    const own = names
      .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
      .map((name) => ({ name, folder: join(this.#folder, name, 'rules'), isChosen: name === chosen }))
    return [...debian, ...own]
  }

  #chosenName(): string {
    if (!existsSync(this.choiceFile)) return debianRelease
    const folder = this.#chosenFolder()
    return folder === debianRuleFolder ? debianRelease : (folder.split('/')[0] ?? '')
  }

  #chosenFolder(): string {
    try {
      const { folder } = JSON.parse(readFileSync(this.choiceFile, 'utf8'))
      if (typeof folder === 'string') return folder
    } catch {
      // Told below, as is a document that is JSON and names no folder.
    }
    throw new RuleFailure(
      `${this.choiceFile} names no folder of rules: "palisade rules use RELEASE" writes it anew.`,
    )
  }
}
