import {
  AddressGuard,
  type SnapshotAuthentication,
  type SnapshotRadiusServer,
} from '@palisade/proxy-protocol'
import { CheckQueue } from './check-queue.ts'
import { FailoverServers } from './failover-servers.ts'
import {
  type CheckedUser,
  type LoginClient,
  LoginRefused,
  normalizedSpelling,
  type PasswordRealm,
} from './password-realm.ts'
import { askRadiusServer } from './radius-exchange.ts'
import { passwordBytesMax, userNameBytesMax } from './radius-packet.ts'

/** NAS-Identifier of every proxy. */
const nasIdentifier = 'palisade'

/** Logins of users whom RADIUS servers know (RFC 2865), by name and password. */
export class RadiusLogin implements PasswordRealm {
  readonly #servers: FailoverServers<SnapshotRadiusServer>
  readonly #guard: AddressGuard
  readonly #turns = new CheckQueue({ concurrentMax: 32, waitingMax: 64, waitingOfOneMax: 16 })

  constructor(servers: readonly SnapshotRadiusServer[], { forbidden }: SnapshotAuthentication) {
    this.#servers = new FailoverServers('RADIUS server', servers)
    this.#guard = new AddressGuard(forbidden)
  }

  normalizedName(typed: string): string {
    return normalizedSpelling(typed)
  }

  async user(typed: string, password: string, client: LoginClient): Promise<CheckedUser | undefined> {
    if (!isUserName(typed) || password === '' || Buffer.byteLength(password) > passwordBytesMax)
      return undefined
    const request = { userName: typed, password, client: client.address, nasIdentifier }
    const answer = await this.#turns.run(client.network, () =>
      this.#servers.firstAnswer(client.now, (server) => askRadiusServer(server, this.#guard, request)),
    )
    if (answer.result === 'challenge') {
      throw new LoginRefused(
        'The RADIUS server asks for more than name and password, which no proxy asks for yet.',
      )
    }
    if (answer.result !== 'accept') return undefined
    const { userName = typed, filterIds } = answer
    return isUserName(userName) ? { name: userName, groups: filterIds } : undefined
  }
}

/** Whether a RADIUS server can have such a user, and the name can be sent to applications in a header. */
function isUserName(name: string): boolean {
  return (
    name !== '' &&
    name === name.trim() &&
    Buffer.byteLength(name) <= userNameBytesMax &&
    !/\p{C}|�/u.test(name)
  )
}
