import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type {
  SnapshotAddressCategory,
  SnapshotDownloadedBlocklist,
  SnapshotIpReputation,
} from '@palisade/proxy-protocol'
import { AddressList } from './address-list.ts'
import { GeoipDatabase, type Place } from './geoip-database.ts'

/** The names of lists, which are those of members of `ip-reputation`. */
export const addressCategories: readonly SnapshotAddressCategory[] = [
  'barracuda-reputation-blocklist',
  'anonymous-proxy',
  'satellite-provider',
  'tor-nodes',
  'public-proxy',
  'datacenter-ip',
  'fake-crawler',
  'known-http-attack-sources',
  'known-ssh-attack-sources',
]

/** What is wrong with files that were brought, by the name of the list, or "geoip"; sentences. */
export type AddressFileProblems = Readonly<Record<string, string>>

/** Where the checked copies of what was brought are, in the folder for them. */
export const geoipCopy = 'geoip.mmdb'
export const problemsCopy = 'problems.json'
export const copyOfList = (category: string) => `${category}.txt`
export const blocklistCopy = 'custom-ip-blocklist.txt'
export const blocklistStateCopy = 'custom-ip-blocklist.json'

/** How it stands with the list that is downloaded. */
export interface BlocklistState {
  /** The SHA-256 of the URL in hexadecimal digits: the URL may have a password. */
  readonly urlDigest: string
  /** What the server said to tell this version of the list from others. */
  readonly etag?: string
  readonly lastModified?: string
  /** When it was downloaded, or found unchanged, in milliseconds since 1970; absent where it never was. */
  readonly downloadedAt?: number
  /** Why it could not be downloaded the last time: a sentence; empty where it could. */
  readonly problem: string
}

/** What {@link BlocklistState} has of a URL. */
export const urlDigestOf = (url: string) => createHash('sha256').update(url).digest('hex')

/**
 * What a proxy knows of addresses beside the configuration: where they are, and what they are known for. It is read anew while requests
 * go on, which see the one or the other.
 */
export class AddressData {
  readonly #folder: string | undefined
  #geoip: GeoipDatabase | undefined
  #lists: ReadonlyMap<string, AddressList> = new Map()
  #problems: AddressFileProblems = {}
  #blocklist: AddressList | undefined
  #blocklistState: BlocklistState | undefined

  /** @param folder with the checked copies; undefined where nothing was brought */
  constructor(folder: string | undefined) {
    this.#folder = folder
    this.load()
  }

  /** Reads what the folder holds now. A copy that was spoiled since it was checked leaves what was read before. */
  load(): void {
    const folder = this.#folder
    if (folder === undefined) return
    const read = <Content>(copy: string, before: Content, contentOf: (bytes: Buffer) => Content) => {
      try {
        return contentOf(readFileSync(join(folder, copy)))
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : before
      }
    }
    const listOf = (bytes: Buffer) => AddressList.read(bytes.toString('latin1')).list
    const lists = this.#lists
    this.#geoip = read(geoipCopy, this.#geoip, (bytes) => new GeoipDatabase(bytes))
    this.#lists = new Map(
      addressCategories.flatMap((category) => {
        const list = read(copyOfList(category), lists.get(category), listOf)
        return list ? [[category, list] as const] : []
      }),
    )
    this.#problems = read(problemsCopy, this.#problems, (bytes) => JSON.parse(bytes.toString())) ?? {}
    this.#blocklist = read(blocklistCopy, this.#blocklist, listOf)
    this.#blocklistState = read(blocklistStateCopy, this.#blocklistState, (bytes) =>
      JSON.parse(bytes.toString()),
    )
  }

  /** Undefined where there is no database. */
  placeOf(address: string): Place | undefined {
    return this.#geoip?.placeOf(address)
  }

  /** The code of the country in which an address is used; undefined where that is not known. */
  countryOf(address: string): string | undefined {
    return this.#geoip?.placeOf(address).country
  }

  /** Which of the categories an address is in. */
  categoryOf(
    address: string,
    categories: readonly SnapshotAddressCategory[],
  ): SnapshotAddressCategory | undefined {
    return categories.find(
      (category) =>
        this.#lists.get(category)?.has(address) === true || isSoInDatabase(category, this.placeOf(address)),
    )
  }

  /** Whether an address is on the list that is downloaded from a URL. @param urlDigest see {@link BlocklistState} */
  isBlocked(urlDigest: string, address: string): boolean {
    return this.#blocklistState?.urlDigest === urlDigest && this.#blocklist?.has(address) === true
  }

  /** What is to be said of a list that is to be downloaded: sentences. */
  blocklistNotices({ url }: SnapshotDownloadedBlocklist): string[] {
    const state = this.#blocklistState
    const isOfUrl = state?.urlDigest === urlDigestOf(url)
    const problem = isOfUrl ? state.problem : ''
    if (isOfUrl && this.#blocklist !== undefined) {
      return problem === ''
        ? []
        : [`The custom-ip-blocklist could not be updated, and the earlier one is still used: ${problem}`]
    }
    return [
      `Nobody is blocked by custom-ip-blocklist: ${problem === '' ? 'it is not downloaded yet.' : problem}`,
    ]
  }

  /** What a service asks for and this proxy cannot do, and what is wrong with files that it needs: sentences. */
  notices({ pool, blocksUnclassified, categories }: SnapshotIpReputation): string[] {
    const needsPlaces = pool !== undefined || blocksUnclassified
    const missing = categories.filter((name) => !this.#lists.has(name) && !this.#isInDatabase(name))
    const needed = [...(needsPlaces ? ['geoip'] : []), ...categories]
    return [
      ...(needsPlaces && this.#geoip === undefined
        ? ['Nobody is refused for where he is: the proxy has no GeoIP database (ipReputation.geoipDatabase).']
        : []),
      ...(missing.length === 0
        ? []
        : [
            `Nobody is refused as ${missing.join(', ')}: the proxy has no such list (ipReputation.listsFolder).`,
          ]),
      ...needed.flatMap((name) => this.#problems[name] ?? []),
    ]
  }

  #isInDatabase(category: SnapshotAddressCategory): boolean {
    return this.#geoip !== undefined && inDatabase.has(category)
  }
}

/** What databases of countries say as well. */
const inDatabase: ReadonlySet<SnapshotAddressCategory> = new Set(['anonymous-proxy', 'satellite-provider'])

function isSoInDatabase(category: SnapshotAddressCategory, place: Place | undefined): boolean {
  if (category === 'anonymous-proxy') return place?.isAnonymousProxy === true
  return category === 'satellite-provider' && place?.isSatelliteProvider === true
}
