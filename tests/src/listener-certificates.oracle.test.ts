import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, describe, test } from 'node:test'
import { connect } from 'node:tls'
import {
  authorityPrograms,
  cleanUpAuthorities,
  type GivenAuthority,
  refusedHost,
  TestAuthority,
} from './support/firewall/authority.ts'
import { freePort } from './support/firewall/proxy.ts'
import { eventually } from './support/programs/calls.ts'
import { notInstalled } from './support/programs/not-installed.ts'
import { cleanUp, newFolder, provisioned, Server } from './support/programs/server.ts'
import { WatchedServer } from './support/programs/watched-server.ts'

after(async () => {
  await cleanUp()
  await cleanUpAuthorities()
})

/** What clients are shown at an HTTPS port. */
interface Shown {
  readonly serial: string
  /** Whether a client that trusts the authority alone takes it for that host. */
  readonly isTrusted: boolean
}

async function shown(port: number, host: string, ca: string): Promise<Shown> {
  const socket = connect({ host: '127.0.0.1', port, servername: host, ca, rejectUnauthorized: false })
  try {
    await once(socket, 'secureConnect')
    return { serial: socket.getPeerX509Certificate()?.serialNumber ?? '', isTrusted: socket.authorized }
  } finally {
    socket.destroy()
  }
}

/** A server with its authority, which looks for proofs at the server's own ports. */
class Certified {
  readonly authority: TestAuthority
  readonly configuration: object
  readonly ports: { readonly http: number; readonly firewall: number; readonly services: number }

  private constructor(deps: Pick<Certified, 'authority' | 'configuration' | 'ports'>) {
    this.authority = deps.authority
    this.configuration = deps.configuration
    this.ports = deps.ports
  }

  /** @param domains of each listener; none where it keeps its self-signed certificate @param acme further members of firewall.acme */
  static async prepare(
    domains: { readonly firewall?: readonly string[]; readonly services?: readonly string[] },
    acme: (ports: Certified['ports'], authority: TestAuthority) => object,
    given: Partial<GivenAuthority> = {},
  ): Promise<Certified> {
    const ports = { http: await freePort(), firewall: await freePort(), services: await freePort() }
    const authority = await TestAuthority.start({ httpPort: ports.http, tlsPort: ports.services, ...given })
    const { directory, caFile } = authority
    const tls = (names: readonly string[] | undefined) =>
      names === undefined ? {} : { tls: { acme: { domains: names } } }
    const configuration = {
      ...provisioned,
      firewall: {
        ...provisioned.firewall,
        listen: { http: 0, https: ports.firewall },
        ...tls(domains.firewall),
        acme: { directory, caFile, ...acme(ports, authority) },
      },
      services: { listen: { http: 0, https: ports.services }, ...tls(domains.services) },
    }
    return new Certified({ authority, configuration, ports })
  }

  /** Waits until clients of a listener trust what they are shown. @returns its serial number */
  untilTrusted(listener: 'firewall' | 'services', host: string, other = ''): Promise<string> {
    return eventually(`a certificate for ${host}`, async () => {
      const { serial, isTrusted } = await this.shown(listener, host)
      return isTrusted && serial !== other ? serial : undefined
    })
  }

  async shown(listener: 'firewall' | 'services', host: string): Promise<Shown> {
    return shown(this.ports[listener], host, await this.authority.root())
  }
}

describe('the listeners of a server', { skip: notInstalled(...authorityPrograms) }, () => {
  test('present a certificate that was obtained by http-01 without a restart, share it, and have it at once when started again', async (t) => {
    const domains = ['palisade.example', 'www.Palisade.example']
    const certified = await Certified.prepare({ firewall: domains, services: domains }, ({ http }) => ({
      challenges: ['http-01'],
      challengeListener: { host: '127.0.0.1', port: http },
    }))
    const server = await Server.start(newFolder(), certified.configuration)
    const begun = performance.now()
    assert.equal((await certified.shown('services', 'palisade.example')).isTrusted, false)
    const serial = await certified.untilTrusted('services', 'palisade.example')
    t.diagnostic(`presented ${((performance.now() - begun) / 1000).toFixed(1)} s after the first start`)
    assert.equal(await certified.untilTrusted('services', 'www.palisade.example'), serial)
    assert.equal(await certified.untilTrusted('firewall', 'palisade.example'), serial)
    const answer = await fetch(`http://127.0.0.1:${certified.ports.http}/.well-known/acme-challenge/other`)
    assert.equal(answer.status, 404)

    await server.program.stop()
    await Server.start(server.folder, certified.configuration)
    assert.deepEqual(await certified.shown('services', 'palisade.example'), { serial, isTrusted: true })
    assert.equal(certified.authority.orderCount, 1)
  })

  test('answer tls-alpn-01 themselves while clients are shown what they were shown before, and renew in time', async () => {
    const certified = await Certified.prepare(
      { services: ['palisade.example'] },
      () => ({ challenges: ['tls-alpn-01'] }),
      { validitySeconds: 40 },
    )
    await Server.start(newFolder(), certified.configuration)
    const selfSigned = await certified.shown('services', 'palisade.example')
    assert.equal(selfSigned.isTrusted, false)
    const serials = new Set<string>()
    await eventually('a renewal', async () => {
      const { serial, isTrusted } = await certified.shown('services', 'palisade.example')
      // Never what is meant for authorities alone.
      assert.ok(isTrusted || (serial === selfSigned.serial && serials.size === 0), serial)
      if (isTrusted) serials.add(serial)
      return serials.size === 2 ? true : undefined
    })
    assert.equal(certified.authority.orderCount, 2)
  })

  test('have certificates for many hosts by dns-01', async () => {
    const certified = await Certified.prepare({ firewall: ['*.palisade.example'] }, (_, { dnsHook }) => ({
      challenges: ['dns-01'],
      dnsHook,
    }))
    await Server.start(newFolder(), certified.configuration)
    await certified.untilTrusted('firewall', 'waf.palisade.example')
    assert.equal((await certified.shown('services', 'waf.palisade.example')).isTrusted, false)
  })

  test('serve on with what they have where the authority refuses, which is told of', async () => {
    const certified = await Certified.prepare({ services: [refusedHost] }, () => ({}))
    const watched = await WatchedServer.start(certified.configuration)
    const raised = await watched.raised('certificate-not-renewed')
    assert.deepEqual(
      [raised.service, raised.subject, raised.severity],
      ['firewall', 'services.tls.acme', 'warning'],
    )
    assert.match(
      raised.message,
      /^It could not be obtained, once by now\. The authority refuses it: .*refused\.example/,
    )
    assert.equal((await certified.shown('services', refusedHost)).isTrusted, false)
    await watched.stop()
  })
})
