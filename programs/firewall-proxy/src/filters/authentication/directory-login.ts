import {
  AddressGuard,
  type SnapshotAuthentication,
  type SnapshotLdapDirectory,
} from '@palisade/proxy-protocol'
import {
  type Client,
  EqualityFilter,
  InvalidCredentialsError,
  ResultCodeError,
  SizeLimitExceededError,
} from 'ldapts'
import { CheckTurns } from './check-turns.ts'
import { askDirectory } from './directory-connection.ts'
import { groupsOf, valuesOf } from './directory-groups.ts'

/** For how long a directory that was away is asked after the others. */
const awayMs = 30_000

const nameSizeMax = 256

/** No directory can be asked at the moment. The message is a sentence. */
export class DirectoriesAway extends Error {}

/** Somebody whom a directory knows by name and password. */
export interface DirectoryUser {
  /** As the directory spells it. */
  readonly name: string
  readonly groups: readonly string[]
}

/** Logins of users whom LDAP directories know (RFC 4511): looked up as the service account, then bound with their own password. */
export class DirectoryLogin {
  readonly #directories: readonly SnapshotLdapDirectory[]
  readonly #guard: AddressGuard
  readonly #turns = new CheckTurns({ concurrentMax: 8, waitingMax: 64, waitingOfOneMax: 16 })
  readonly #awayUntil = new Map<SnapshotLdapDirectory, number>()

  constructor({ directories = [], forbidden }: SnapshotAuthentication) {
    this.#directories = directories
    this.#guard = new AddressGuard(forbidden)
  }

  /** A name as failures are counted by: directories take many spellings for one. */
  countedName(typed: string): string {
    const { name } = this.#meant(typed)
    const letters = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
    return letters.replace(/\s+/g, ' ').trim()
  }

  /**
   * The user of a name and a password; undefined where there is none.
   *
   * @param network that of the client
   * @param now in milliseconds
   * @throws DirectoriesAway
   * @throws TooManyChecks
   */
  async user(
    typed: string,
    password: string,
    network: string,
    now: () => number,
  ): Promise<DirectoryUser | undefined> {
    const { name, directories } = this.#meant(typed)
    // A bind without a password succeeds, and proves nothing (RFC 4513, section 5.1.2).
    if (password === '' || name === '' || name.length > nameSizeMax || /\p{C}/u.test(name)) return undefined
    return this.#turns.run(network, () => this.#firstAnswer(directories, name, password, now))
  }

  async #firstAnswer(
    directories: readonly SnapshotLdapDirectory[],
    name: string,
    password: string,
    now: () => number,
  ): Promise<DirectoryUser | undefined> {
    const isAway = (one: SnapshotLdapDirectory) => (this.#awayUntil.get(one) ?? 0) > now()
    const problems: string[] = []
    for (const directory of directories.toSorted(
      (one, other) => Number(isAway(one)) - Number(isAway(other)),
    )) {
      try {
        const user = await askDirectory(directory, this.#guard, (client) =>
          userIn(directory, client, name, password),
        )
        this.#awayUntil.delete(directory)
        return user
      } catch (error) {
        this.#awayUntil.set(directory, now() + awayMs)
        problems.push(`${directory.address}: ${reasonOf(error)}`)
      }
    }
    throw new DirectoriesAway(`No directory can be asked (${problems.join('; ')}).`)
  }

  /** The name without the alias of a domain, and the directories that know it. */
  #meant(typed: string): { readonly name: string; readonly directories: readonly SnapshotLdapDirectory[] } {
    const sign = typed.indexOf('\\')
    const alias = typed.slice(0, Math.max(sign, 0)).toLowerCase()
    const directories = this.#directories.filter(({ domainAlias }) => domainAlias?.toLowerCase() === alias)
    return sign > 0 && directories.length > 0
      ? { name: typed.slice(sign + 1), directories }
      : { name: typed, directories: this.#directories }
  }
}

async function userIn(
  directory: SnapshotLdapDirectory,
  client: Client,
  name: string,
  password: string,
): Promise<DirectoryUser | undefined> {
  const { baseDn, loginAttribute, looksUpGroups } = directory
  await bindAsService(directory, client)
  const entry = await onlyEntry(
    client.search(baseDn, {
      scope: 'sub',
      filter: new EqualityFilter({ attribute: loginAttribute, value: name }),
      attributes: [loginAttribute, 'uid'],
      sizeLimit: 2,
    }),
  )
  if (entry === undefined || entry.dn === '') return undefined
  try {
    await client.bind(entry.dn, password)
  } catch (error) {
    // Whatever a directory has against a user, such as that he is locked, lets him not in; it is not away.
    if (error instanceof ResultCodeError && !isAwayCode(error)) return undefined
    throw error
  }
  const spellings = valuesOf(entry, loginAttribute)
  const spelling = spellings.find((one) => one.toLowerCase() === name.toLowerCase()) ?? spellings[0] ?? name
  if (!looksUpGroups) return { name: spelling, groups: [] }
  await bindAsService(directory, client)
  return { name: spelling, groups: await groupsOf(entry, directory, client) }
}

async function bindAsService({ bindDn, bindPassword }: SnapshotLdapDirectory, client: Client): Promise<void> {
  try {
    await client.bind(bindDn, bindPassword)
  } catch (error) {
    if (error instanceof InvalidCredentialsError) throw new Error('it refuses bind-dn or bind-password')
    throw error
  }
}

/** @returns undefined also where several entries fit, since nobody knows who is meant */
async function onlyEntry(result: ReturnType<Client['search']>) {
  try {
    const { searchEntries } = await result
    return searchEntries.length === 1 ? searchEntries[0] : undefined
  } catch (error) {
    if (error instanceof SizeLimitExceededError) return undefined
    throw error
  }
}

/** `busy` and `unavailable` (RFC 4511, appendix A). */
function isAwayCode({ code }: ResultCodeError): boolean {
  return code === 51 || code === 52
}

function reasonOf(error: unknown): string {
  const { code, message, name } = error as NodeJS.ErrnoException
  return typeof code === 'string' ? code : (message || name).slice(0, 200)
}
