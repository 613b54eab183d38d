import type { TestAdministration, TestSession } from '@palisade/administration/testing'
import { serveAdministration } from '@palisade/administration/testing'
import type { Store } from '@palisade/platform'
import type { send } from '@palisade/platform/testing'
import type { BackupServiceDependencies } from '../assemble.ts'
import { TestService } from './backup-service.ts'

type Reply = Awaited<ReturnType<typeof send>>

/** The backup service and the administration over one store, with its owner's session. */
export class AdministeredService {
  readonly service: TestService
  #administration: TestAdministration
  #session: TestSession

  private constructor(service: TestService, administration: TestAdministration, session: TestSession) {
    this.service = service
    this.#administration = administration
    this.#session = session
  }

  /** Calls it as anybody. */
  get administration(): TestAdministration {
    return this.#administration
  }

  static async start(
    store: Store,
    more: Partial<BackupServiceDependencies> = {},
  ): Promise<AdministeredService> {
    const service = await TestService.start(store, more)
    const administration = await administrationOf(service)
    const { username, password } = administration.owner
    return new AdministeredService(service, administration, await administration.logIn(username, password))
  }

  /** Stops both and starts them again over the same store and data, on other ports. */
  async restart(more: Partial<BackupServiceDependencies> = {}): Promise<void> {
    const { owner } = this.#administration
    await this.#administration.close()
    await this.service.restart(more)
    this.#administration = await administrationOf(this.service, owner)
    await this.#logIn()
  }

  async close(): Promise<void> {
    await this.#administration.close()
    await this.service.close()
  }

  /** Lets time pass, after which owner and client log in anew. */
  async pass(ms: number): Promise<void> {
    await this.service.pass(ms)
    await this.#logIn()
  }

  /** Calls the administration as its owner; what changes something names the state that it changes as any. */
  call(method: string, path: string, body?: unknown): Promise<Reply> {
    return this.#administration.as(this.#session, method, path, {
      headers: { 'if-match': '*' },
      ...(body === undefined ? {} : { body }),
    })
  }

  /** Calls it about a computer of the first account, the first one when left out. */
  computer(method: string, rest = '', id = '0001'): Promise<Reply> {
    return this.call(method, `/backup/accounts/acme/computers/${id}${rest}`)
  }

  /** Calls the administration as a new operator with one grant. */
  async callerWith(grant: object): Promise<(method: string, path: string, body?: unknown) => Promise<Reply>> {
    const who = { username: `operator-${crypto.randomUUID()}`, password: 'a very long secret' }
    await this.call('POST', '/operators', { ...who, grants: [grant] })
    const session = await this.#administration.logIn(who.username, who.password)
    return (method, path, body) =>
      this.#administration.as(session, method, path, {
        headers: { 'if-match': '*' },
        ...(body === undefined ? {} : { body }),
      })
  }

  async #logIn(): Promise<void> {
    const { username, password } = this.#administration.owner
    this.#session = await this.#administration.logIn(username, password)
  }
}

function administrationOf(
  service: TestService,
  owner?: { readonly username: string; readonly password: string },
): Promise<TestAdministration> {
  const { store, clock, administered: resources } = service
  return serveAdministration(store, { resources, clock, ...(owner ? { owner } : {}) })
}
