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
import { CheckQueue } from './check-queue.ts'
import { askDirectory } from './directory-connection.ts'
import { groupsOf, valuesOf } from './directory-groups.ts'
import { FailoverServers } from './failover-servers.ts'
import {
  type CheckedUser,
  type LoginClient,
  normalizedSpelling,
  type PasswordRealm,
} from './password-realm.ts'

const nameSizeMax = 256

/** Logins of users whom LDAP directories know (RFC 4511): looked up as the service account, then bound with their own password. */
export class DirectoryLogin implements PasswordRealm {
  readonly #directories: readonly SnapshotLdapDirectory[]
  readonly #inTurn: FailoverServers<SnapshotLdapDirectory>
  readonly #guard: AddressGuard
  readonly #turns = new CheckQueue({ concurrentMax: 8, waitingMax: 64, waitingOfOneMax: 16 })

  constructor({ directories = [], forbidden }: SnapshotAuthentication) {
    this.#directories = directories
    this.#inTurn = new FailoverServers('directory', directories)
    this.#guard = new AddressGuard(forbidden)
  }

  normalizedName(typed: string): string {
    return normalizedSpelling(this.#meant(typed).name)
  }

  async user(
    typed: string,
    password: string,
    { network, now }: LoginClient,
  ): Promise<CheckedUser | undefined> {
    const { name, directories } = this.#meant(typed)
    // A bind without a password succeeds, and proves nothing (RFC 4513, section 5.1.2).
    if (password === '' || name === '' || name.length > nameSizeMax || /\p{C}/u.test(name)) return undefined
    return this.#turns.run(network, () =>
      this.#inTurn.firstAnswer(
        now,
        (directory) =>
          askDirectory(directory, this.#guard, (client) => userIn(directory, client, name, password)),
        (directory) => directories.includes(directory),
      ),
    )
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
): Promise<CheckedUser | undefined> {
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
    if (error instanceof ResultCodeError && !isUnavailableCode(error)) return undefined
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
function isUnavailableCode({ code }: ResultCodeError): boolean {
  return code === 51 || code === 52
}
