import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { connect } from 'node:tls'
import { openStore } from '@palisade/platform'
import { startPostgres } from '@palisade/platform/testing'
import {
  authorityPrograms,
  cleanUpAuthorities,
  externalAccount,
  type GivenAuthority,
  refusedHost,
  TestAuthority,
} from './support/firewall/authority.ts'
import {
  application,
  cleanUpApplications,
  freePort,
  Management,
  oneWorker,
  ProxyProcess,
} from './support/firewall/proxy.ts'
import { eventually } from './support/programs/calls.ts'
import { notInstalled } from './support/programs/not-installed.ts'
import { cleanUp, newFolder, provisioned, Server } from './support/programs/server.ts'

/** Servers look every five seconds, and a loaded machine takes its time; in milliseconds. */
const renewedMaxMs = 120_000

/** How long after the call a client may be shown something else, in milliseconds. */
const servedMaxMs = 10_000

after(async () => {
  await cleanUp()
  cleanUpApplications()
  await cleanUpAuthorities()
})

interface Configuration {
  readonly firewall: { readonly acme: object }
}

/** A firewall with a service in plain text and one over TLS, and the authority that looks for proofs there. */
class Installation {
  readonly authority: TestAuthority
  readonly server: Server
  readonly proxy: ProxyProcess
  readonly management: Management
  readonly tlsPort: number
  readonly #configuration: Configuration

  private constructor(deps: {
    readonly authority: TestAuthority
    readonly server: Server
    readonly proxy: ProxyProcess
    readonly management: Management
    readonly tlsPort: number
    readonly configuration: Configuration
  }) {
    this.authority = deps.authority
    this.server = deps.server
    this.proxy = deps.proxy
    this.management = deps.management
    this.tlsPort = deps.tlsPort
    this.#configuration = deps.configuration
  }

  /** Has the server read its configuration again, with more settings of ACME. */
  async reload(acme: object): Promise<void> {
    const { firewall } = this.#configuration
    await this.server.reload({
      ...this.#configuration,
      firewall: { ...firewall, acme: { ...firewall.acme, ...acme } },
    })
  }

  /** Another server on the same database, whose proxy opens the same ports: the system hands connections to both. */
  async another(): Promise<Server> {
    const folder = newFolder()
    cpSync(join(this.server.dataDirectory, 'secret.key'), join(folder, 'data', 'secret.key'))
    chmodSync(join(folder, 'data'), 0o700)
    const server = await Server.start(folder, { ...this.#configuration, backup: { serve: false } })
    await ProxyProcess.start(server, newFolder(), oneWorker)
    return server
  }

  /** Waits until every proxy shows the same certificate, another one than this. */
  untilAllShow(host: string, other: string): Promise<string> {
    return eventually(
      `another certificate for ${host} everywhere`,
      async () => {
        const shown = await Promise.all(Array.from({ length: 24 }, () => this.shown(host).catch(() => other)))
        const [serial = other, ...more] = new Set(shown)
        return serial === other || more.length > 0 ? undefined : serial
      },
      renewedMaxMs,
    )
  }

  /** @param database "embedded", or where it is */
  static async start(
    acme: object,
    options: Partial<GivenAuthority> = {},
    database = 'embedded',
  ): Promise<Installation> {
    const [httpPort, tlsPort] = [await freePort(), await freePort()]
    const authority = await TestAuthority.start({ httpPort, tlsPort, ...options })
    const { directory, caFile, dnsHook } = authority
    const configuration = {
      ...provisioned,
      database,
      firewall: { ...provisioned.firewall, acme: { directory, caFile, dnsHook, ...acme } },
    }
    const server = await Server.start(newFolder(), configuration)
    const proxy = await ProxyProcess.start(server, newFolder(), oneWorker)
    const management = await Management.connect(server)
    const behind = await application((_, response) => response.end('served'))
    await management.call('POST', 'self-signed-certificate', {
      name: 'own',
      'common-name': 'own.example',
      'country-code': 'DE',
      'key-type': 'ECDSA',
    })
    const at = { 'ip-address': '127.0.0.1' }
    await management.call('POST', 'services', { name: 'plain', ...at, port: httpPort })
    await management.addServer('plain', 'one', behind)
    await management.call('POST', 'services', {
      name: 'secure',
      ...at,
      port: tlsPort,
      type: 'HTTPS',
      certificate: 'own',
    })
    await management.addServer('secure', 'one', behind)
    await management.untilHealth('services/secure', 'Up')
    return new Installation({ authority, server, proxy, management, tlsPort, configuration })
  }

  obtain(name: string, host: string, more: object = {}): Promise<Record<string, unknown>> {
    return this.management.call('POST', 'certificates/letsencrypt', {
      name,
      'common-name': host,
      'multi-cert-trusted-service': 'secure',
      ...more,
    })
  }

  /** The serial number of what a client is shown that trusts the authority alone. @throws Error when it does not trust that */
  async shown(host: string): Promise<string> {
    const ca = await this.authority.root()
    const socket = connect({ host: '127.0.0.1', port: this.tlsPort, servername: host, ca })
    try {
      await once(socket, 'secureConnect')
      return socket.getPeerX509Certificate()?.serialNumber ?? ''
    } finally {
      socket.destroy()
    }
  }

  untilShown(host: string, fits: (serial: string) => boolean = () => true): Promise<string> {
    return eventually(`a certificate for ${host}`, async () => {
      const serial = await this.shown(host).catch(() => undefined)
      return serial !== undefined && fits(serial) ? serial : undefined
    })
  }

  async member(name: string, member: string): Promise<string | undefined> {
    const { data } = await this.management.call('GET', `signed-certificate/${name}`)
    return (data as Record<string, Record<string, string>>)[name]?.[member]
  }
}

describe('certificates by ACME', { skip: notInstalled(...authorityPrograms) }, () => {
  let installation: Installation
  before(async () => {
    installation = await Installation.start({ email: 'admin@example.com' })
  })

  test('are obtained by http-01 and served within seconds', async (t) => {
    const startMs = performance.now()
    const reply = await installation.obtain('shop', 'Shop.example', {
      'san-cert': ['www.shop.example'],
      'allow-private-key-export': 'No',
    })
    const obtainedMs = performance.now() - startMs
    assert.equal(reply.id, 'shop')
    const serial = await installation.untilShown('shop.example')
    const servedMs = performance.now() - startMs
    t.diagnostic(`obtained after ${obtainedMs.toFixed(0)} ms, served after ${servedMs.toFixed(0)} ms`)
    assert.ok(servedMs < servedMaxMs, `served after ${servedMs} ms`)
    assert.equal(await installation.shown('www.shop.example'), serial)
    await assert.rejects(installation.shown('other.example'))
    assert.equal(await installation.member('shop', 'serial'), serial)
    assert.equal(await installation.member('shop', 'auto-renew-cert'), 'Yes')
    await assert.rejects(installation.obtain('shop', 'shop.example'), /400 .*Duplicate certificate name/)
    const { data } = await installation.management.call('GET', 'certificates')
    assert.ok(JSON.stringify(data).includes('"shop"'))
  })

  test('for many hosts are obtained by dns-01 with the operator’s program, which takes its records away', async () => {
    await installation.obtain('wild', '*.wild.example', { 'san-cert': 'wild.example' })
    await installation.untilShown('any.wild.example')
    await installation.untilShown('wild.example')
    const calls = readFileSync(`${installation.authority.dnsHook}.calls`, 'utf8').trim().split('\n')
    assert.deepEqual(
      new Set(calls),
      new Set(['set _acme-challenge.wild.example', 'remove _acme-challenge.wild.example']),
    )
    assert.equal(
      calls.filter((call) => call.startsWith('set')).length,
      calls.filter((call) => call.startsWith('remove')).length,
    )
  })

  test('are refused with what the authority says, and leave nothing behind', async () => {
    await assert.rejects(
      installation.obtain('refused', refusedHost),
      /400 .*The authority refuses it: .*refused\.example/,
    )
    await assert.rejects(installation.obtain('wrong', 'no host'), /406 .*common-name/)
    await assert.rejects(
      installation.obtain('address', 'a.example', { 'san-cert': 'IP:127.0.0.1' }),
      /406 .*san-cert/,
    )
    await assert.rejects(
      installation.obtain('nowhere', 'a.example', { 'multi-cert-trusted-service': 'nothing' }),
      /404 .*nothing/,
    )
    await assert.rejects(installation.management.call('GET', 'signed-certificate/refused'), /404/)
  })

  test('are deleted as others are, once no service shows them', async () => {
    const { management } = installation
    await installation.obtain('short', 'short.example', { 'multi-cert-trusted-service': '' })
    await management.call('DELETE', 'signed-certificate/short')
    await assert.rejects(management.call('GET', 'signed-certificate/short'), /404/)
    await installation.obtain('short', 'short.example', { 'multi-cert-trusted-service': '' })
    await management.call('DELETE', 'certificates/short')
    await assert.rejects(management.call('DELETE', 'signed-certificate/shop'), /in use/)
  })

  test('cannot be obtained while the authority is away, and can when it is back and knows nothing any more', async () => {
    const { authority } = installation
    await authority.stop()
    await assert.rejects(
      installation.obtain('away', 'away.example'),
      /503 .*The authority at 127\.0\.0\.1:\d+ is not reached: .*ECONNREFUSED/,
    )
    await authority.again()
    await installation.obtain('away', 'away.example')
    await installation.untilShown('away.example')
  })

  test('are obtained by tls-alpn-01 alone at a service that has one already', async () => {
    await installation.reload({ challenges: ['tls-alpn-01'], dnsHook: undefined })
    await installation.obtain('handshakes', 'handshakes.example')
    await installation.untilShown('handshakes.example')
    await assert.rejects(
      installation.obtain('many', '*.many.example'),
      /400 .*\*\.many\.example .*firewall\.acme\.dnsHook/,
    )
  })
})

test('where the authority does not see one proof, the next sort is tried', {
  skip: notInstalled(...authorityPrograms),
}, async () => {
  const installation = await Installation.start({ dnsHook: undefined }, { httpPort: await freePort() })
  await installation.obtain('shop', 'shop.example')
  await installation.untilShown('shop.example')
})

test('an authority that wants an external account is shown it', {
  skip: notInstalled(...authorityPrograms),
}, async () => {
  const installation = await Installation.start({}, { requiresExternalAccount: true })
  await assert.rejects(
    installation.obtain('shop', 'shop.example'),
    /400 .*The authority refuses it: .*externalAccountBinding/,
  )
  const { keyId: eabKeyId, hmacKey: eabHmacKey } = externalAccount
  await installation.reload({ eabKeyId, eabHmacKey: 'AAAA' })
  await assert.rejects(installation.obtain('shop', 'shop.example'), /400 .*The authority refuses it: /)
  await installation.reload({ eabKeyId, eabHmacKey })
  await installation.obtain('shop', 'shop.example')
  await installation.untilShown('shop.example')
})

test('a certificate is renewed behind a restart, also when the key of the account is lost, and the old one serves until then', {
  skip: notInstalled(...authorityPrograms),
}, async () => {
  const installation = await Installation.start({ dnsHook: undefined }, { validitySeconds: 40 })
  await installation.obtain('shop', 'shop.example')
  const first = await installation.untilShown('shop.example')
  const { server } = installation
  assert.equal(await server.program.stop(), 0)
  const database = new DatabaseSync(join(server.folder, 'data', 'palisade.sqlite'))
  const { changes } = database.prepare('delete from firewall_acme_account').run()
  database.close()
  assert.equal(changes, 1)
  const again = await server.again()
  assert.equal(await installation.untilShown('shop.example'), first)
  await again.program.line(/"certificate":"shop","msg":"a certificate was renewed"/)
  const second = await installation.untilShown('shop.example', (serial) => serial !== first)
  await installation.untilShown('shop.example', (serial) => serial !== first && serial !== second)
})

interface QueueTables {
  firewall_acme_certificate: {
    renew_at: number
    due_at: number
    lease_until: number
    ongoing_order: string
  }
}

test('of two servers on one PostgreSQL one renews a certificate, both proxies serve it, and another goes on when that one is killed', {
  skip: notInstalled(...authorityPrograms, '/usr/lib/postgresql'),
  timeout: 400_000,
}, async (t) => {
  const postgres = await startPostgres()
  assert.ok(postgres, 'PostgreSQL is not installed: apt-get install postgresql')
  t.after(() => postgres.stop())
  const database = await postgres.newDatabase()
  const store = openStore(database, '')
  t.after(() => store.close())
  const queue = () => store.tables<QueueTables>()
  const row = () => queue().selectFrom('firewall_acme_certificate').selectAll().executeTakeFirst()
  const untilQueued = () =>
    eventually('the next renewal', async () => {
      const { renew_at: renewAt = 0, due_at: dueAt = 0 } = (await row()) ?? {}
      return dueAt > Date.now() && dueAt <= renewAt ? true : undefined
    })
  const makeDue = async () => {
    await untilQueued()
    await queue().updateTable('firewall_acme_certificate').set({ renew_at: 0, due_at: 0 }).execute()
  }

  const installation = await Installation.start({ dnsHook: undefined }, {}, database)
  const { authority, server: first } = installation
  const second = await installation.another()
  await installation.obtain('shop', 'shop.example')
  const obtained = await installation.untilAllShow('shop.example', '')
  await makeDue()
  const renewed = await installation.untilAllShow('shop.example', obtained)
  assert.equal(authority.orderCount, 2)

  second.program.signal('SIGSTOP')
  await makeDue()
  await eventually('the order', async () => (await row())?.ongoing_order || undefined)
  second.program.signal('SIGCONT')
  await Promise.all([first.program.kill(), installation.proxy.program.kill()])
  // Its lease lasts for another minute, which nobody waits for here.
  await queue().updateTable('firewall_acme_certificate').set({ lease_until: 0 }).execute()
  await installation.untilAllShow('shop.example', renewed)
  assert.equal(authority.orderCount, 3)
  await untilQueued()
  await second.program.stop()
})
