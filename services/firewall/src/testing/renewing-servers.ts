import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Store } from '@palisade/platform'
import { type ServedService, serveOnLoopback, settableClock } from '@palisade/platform/testing'
import type { FirewallService } from '../service.ts'
import type { FirewallTables } from '../tables.ts'
import { create } from './certificates-api.ts'
import { type Client, logIn } from './client.ts'
import { FakeAuthority } from './fake-authority.ts'
import { FakeProxy } from './fake-proxy.ts'
import { firewallService } from './firewall.ts'

/** A loaded machine takes its time. */
const noticedMaxMs = 100_000
/** How often servers of tests look what is to be renewed, in milliseconds. */
export const lookMs = 500

type SettableClock = ReturnType<typeof settableClock>

/** What servers of one test have in common. */
interface Shared {
  readonly store: Store
  readonly clock: SettableClock
  readonly authority: FakeAuthority
}

/** One server, and a proxy that follows it. */
export class RenewingServer {
  readonly proxy: FakeProxy
  readonly service: FirewallService
  readonly #served: ServedService
  readonly #shared: Shared
  #isClosed = false

  private constructor(proxy: FakeProxy, service: FirewallService, served: ServedService, shared: Shared) {
    this.proxy = proxy
    this.service = service
    this.#served = served
    this.#shared = shared
  }

  static async start(t: TestContext, shared: Shared): Promise<RenewingServer> {
    const { store, clock, authority } = shared
    const dataDirectory = mkdtempSync(join(tmpdir(), 'palisade-firewall-'))
    t.after(() => rmSync(dataDirectory, { recursive: true, force: true }))
    const { directory, caFile } = authority
    const service = await firewallService({
      store,
      clock,
      acme: { directory, caFile, challenges: ['http-01'] },
      dataDirectory,
      renewalLookMs: lookMs,
    })
    const served = await serveOnLoopback(service)
    const server = new RenewingServer(FakeProxy.follow(t, served, dataDirectory), service, served, shared)
    t.after(() => server.close())
    return server
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.proxy.stop()
    await this.#served.close()
  }

  /** A new one each time, since tokens end when the clock is advanced. */
  logIn(): Promise<Client> {
    return logIn(this.#served.baseUrl)
  }

  serial(host: string): string | undefined {
    const chain = this.proxy.chainOf('secure', host)
    return chain === undefined ? undefined : new X509Certificate(chain).serialNumber
  }

  /**
   * Waits until clients who ask for the host are shown another certificate than others, and no server is at any. A clock that is advanced
   * while one is has its lease end.
   */
  async untilBound(host: string): Promise<void> {
    await eventually(`a certificate for ${host}`, () => this.serial(host) !== this.serial('other.example'))
    await eventually('the look at it', async () => (await this.#dueCount()) === 0)
  }

  /** How many certificates are due, or somebody is at. */
  async #dueCount(): Promise<number> {
    const { store, clock } = this.#shared
    const rows = await store
      .tables<FirewallTables>()
      .selectFrom('firewall_acme_certificate')
      .select('name')
      .where((row) => row.or([row('due_at', '<=', clock.now()), row('lease_until', '>', 0)]))
      .execute()
    return rows.length
  }
}

/** An authority to whom every one of these has to show its proofs, and what serves them. */
export async function withServices(t: TestContext, ...stores: readonly [Store, ...Store[]]) {
  const clock = settableClock(Date.now())
  const authority = await FakeAuthority.start(t, clock)
  const servers: RenewingServer[] = []
  for (const store of stores) servers.push(await RenewingServer.start(t, { store, clock, authority }))
  authority.isProven = (token, keyAuthorization) =>
    servers.every(({ proxy }) => proxy.hasProof(token, keyAuthorization))
  const [first] = servers
  assert.ok(first)
  const client = await first.logIn()
  await create(client, 'self-signed-certificate', {
    name: 'own',
    'common-name': 'own.example',
    'country-code': 'DE',
    'key-type': 'ECDSA',
  })
  const at = { 'ip-address': '192.0.2.1' }
  await create(client, 'services', { name: 'plain', ...at, port: 80 })
  await create(client, 'services', { name: 'secure', ...at, port: 443, type: 'HTTPS', certificate: 'own' })
  return { store: stores[0], clock, authority, servers, first, client }
}

/** Waits until something is so; 100 seconds unless told otherwise. */
export async function eventually(what: string, look: () => unknown, waitMaxMs = noticedMaxMs): Promise<void> {
  const until = performance.now() + waitMaxMs
  while (!(await look())) {
    assert.ok(performance.now() < until, `${what} did not happen`)
    await pause(50)
  }
}

/** The body by which a certificate is asked for. */
export const order = (name: string, more: object = {}) => ({
  name,
  'common-name': `${name}.example`,
  'multi-cert-trusted-service': 'secure',
  ...more,
})
