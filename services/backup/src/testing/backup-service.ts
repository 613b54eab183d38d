import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testOperators } from '@palisade/administration/testing'
import {
  type AuditEntry,
  auditMigrations,
  createLog,
  createMetrics,
  type HttpService,
  migrate,
  oauthMigrations,
  type Store,
} from '@palisade/platform'
import {
  quickPasswords,
  type ServedService,
  send,
  serveOnLoopback,
  settableClock,
} from '@palisade/platform/testing'
import type { BackupServiceDependencies } from '../assemble.ts'
import type { BackupConfiguration } from '../configuration.ts'
import { createBackupService } from '../service.ts'
import { eventually } from './eventually.ts'

/** Two accounts, the first with two computers, and a client for each purpose that the tests have. */
export const configuration: BackupConfiguration = {
  serve: true,
  basePath: '/backup',
  accounts: [
    {
      id: 'acme',
      computers: [
        { id: '0001', name: 'files01', enrolmentKey: 'enrol-one' },
        { id: '0002', name: 'mail01', enrolmentKey: 'enrol-two' },
      ],
    },
    { id: 'other', computers: [{ id: '0001', name: 'theirs', enrolmentKey: 'enrol-other' }] },
  ],
  apiClients: [
    {
      clientId: 'automation',
      clientSecret: 's3cret',
      accounts: ['acme'],
      scopes: ['computers_read', 'computers_write'],
    },
    { clientId: 'reader', clientSecret: 'r3ad', accounts: ['acme'], scopes: ['computers_read'] },
    { clientId: 'writer', clientSecret: 'wr1te', accounts: ['acme'], scopes: ['computers_write'] },
  ],
  metricsByComputer: false,
  deletionGraceDays: 30,
  upkeep: {
    lookEverySeconds: 5,
    collectEverySeconds: 86_400,
    collectAfterDeletionSeconds: 600,
    keepUnneededSeconds: 86_400,
  },
}

const passwords = quickPasswords()
const secrets: Readonly<Record<string, string>> = { automation: 's3cret', reader: 'r3ad', writer: 'wr1te' }

type Reply = Awaited<ReturnType<typeof send>>

/** The backup service over a store, at real ports, with a data directory of its own. */
export class TestService {
  readonly store: Store
  readonly dataDirectory = mkdtempSync(join(tmpdir(), 'palisade-backup-'))
  readonly clock = settableClock()
  /** Of the service since it was started last. */
  metrics = createMetrics()
  /** What was logged as an error. A test that expects some takes it out. */
  readonly loggedErrors: string[] = []
  /** What went into the audit log. */
  readonly audited: AuditEntry[] = []
  /** What operators administer of the service since it was started last. */
  administered: NonNullable<HttpService['administered']> = []
  /** What needs attention of the service since it was started last. */
  attention: NonNullable<HttpService['attention']> = async () => []
  #served: ServedService | undefined
  #headers: Record<string, string> = {}

  private constructor(store: Store) {
    this.store = store
  }

  get served(): ServedService {
    assert.ok(this.#served, 'the service has started')
    return this.#served
  }

  static async start(store: Store, more: Partial<BackupServiceDependencies> = {}): Promise<TestService> {
    await migrate(store, 'oauth', oauthMigrations)
    await migrate(store, 'audit', auditMigrations(store))
    const service = new TestService(store)
    try {
      await service.#serve(more)
    } catch (error) {
      rmSync(service.dataDirectory, { recursive: true })
      throw error
    }
    service.#headers = await service.authorise('automation')
    return service
  }

  /** Stops the service and starts it again over the same store and data, on other ports. */
  async restart(more: Partial<BackupServiceDependencies> = {}): Promise<void> {
    await this.served.close()
    await this.#serve(more)
  }

  async close(): Promise<void> {
    await this.served.close()
    rmSync(this.dataDirectory, { recursive: true, force: true })
    assert.deepEqual(this.loggedErrors, [])
  }

  async #serve(more: Partial<BackupServiceDependencies>): Promise<void> {
    const log = createLog('error', { write: (line) => this.loggedErrors.push(line) })
    this.metrics = createMetrics()
    const { store, dataDirectory, clock, metrics } = this
    const key = Buffer.alloc(32, 7)
    const configurationFile = null
    const operators = testOperators(store, clock)
    const parts = { store, passwords, clock, log, key, operators, dataDirectory, metrics, configurationFile }
    const settings = { configuration, ...parts, ...more }
    const service = await createBackupService(settings)
    this.administered = service.administered ?? []
    this.attention = service.attention ?? this.attention
    this.#served = await serveOnLoopback(service, {
      log,
      audit: async (entry) => void this.audited.push(entry),
    })
  }

  /** From now on `call` sends these headers. */
  useToken(headers: Record<string, string>): void {
    this.#headers = headers
  }

  /** Lets time pass, and gets a new token, since the one before may have expired meanwhile. */
  async pass(ms: number): Promise<void> {
    this.clock.advance(ms)
    this.useToken(await this.authorise('automation'))
  }

  /** The Authorization header of a client. */
  async authorise(clientId: string, form: Readonly<Record<string, string>> = {}) {
    const { json } = await send(`${this.served.baseUrl}/oauth2/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: secrets[clientId] ?? '',
        ...form,
      }).toString(),
    })
    return { authorization: `Bearer ${json.access_token}` }
  }

  /** Calls an address below the base URL as the client that may do everything. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Reply> {
    return send(`${this.served.baseUrl}${path}`, {
      method,
      headers: { ...this.#headers, ...headers },
      ...(body === undefined ? {} : { body }),
    })
  }

  /** Calls an address of the first computer. */
  computer(method: string, path: string, body?: unknown): Promise<Reply> {
    return this.call(method, `/v2/accounts/acme/computers/0001${path}`, body)
  }

  /** What is shown of an action of the first computer when it has ended. */
  ended(actionId: string) {
    return eventually(async () => {
      const { data } = (await this.computer('GET', `/backupsets/${actionId}/info`)).json
      assert.notEqual(data.ended, null, JSON.stringify(data))
      return data
    })
  }

  restoreDisks(body: unknown): Promise<Reply> {
    return this.computer('POST', '/restore/diskimage/standard/vhd', body)
  }
}
