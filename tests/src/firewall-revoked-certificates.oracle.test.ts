import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { CertificateAuthority, type IssuedCertificate } from '@palisade/firewall-proxy/testing'
import { application, cleanUpApplications, Management, ProxyProcess } from './support/firewall/proxy.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'

const hourMs = 3_600_000

/** Lists by their addresses, as an authority gives them. */
const lists = new Map<string, Buffer>()
const authorityServer = createServer(async (request, response) => {
  if (request.method === 'POST') {
    response.end(root.statusAnswer(Buffer.concat(await request.toArray())))
    return
  }
  const list = lists.get(request.url ?? '')
  response.writeHead(list === undefined ? 404 : 200).end(list)
})

let management: Management
let behind: number
let at: string
let root: CertificateAuthority
let middle: CertificateAuthority
let stranger: CertificateAuthority
before(async () => {
  const folder = newFolder()
  root = CertificateAuthority.create(folder, 'root')
  middle = CertificateAuthority.create(folder, 'middle', root)
  stranger = CertificateAuthority.create(folder, 'stranger')
  authorityServer.listen(0, '127.0.0.1')
  await once(authorityServer, 'listening')
  at = `http://127.0.0.1:${(authorityServer.address() as AddressInfo).port}`
  behind = await application((_, response) => response.end('Hello'))
  const server = await Server.start()
  await ProxyProcess.start(server)
  management = await Management.connect(server)
  await management.makeCertificate('site', 'shop.example.org')
  for (const [name, { own }] of Object.entries({ root, middle })) {
    const certificate = Buffer.from(own.certificate).toString('base64')
    await management.call('POST', 'trusted-ca-certificate', { name, certificate })
  }
})
after(async () => {
  authorityServer.close()
  authorityServer.closeAllConnections()
  await cleanUpApplications()
  await cleanUp()
})

/** A service that asks clients for certificates. @returns its port */
async function asking(name: string, more: object = {}): Promise<number> {
  const port = await management.protect(name, behind, { type: 'HTTPS', certificate: 'site' })
  await management.call('PUT', `services/${name}/ssl-client-authentication`, {
    'client-authentication': 'For Service',
    'trusted-certificates': ['root', 'middle'],
    'client-authentication-rule-count': 0,
    ...more,
  })
  return port
}

function obey(service: string, name: string, url = `${at}/${service}-${name}`): Promise<unknown> {
  return management.call('POST', `services/${service}/client-certificate-crls`, { name, url })
}

/** What `openssl s_client` is answered that shows a certificate. */
async function answerTo(port: number, shown?: IssuedCertificate, ...more: string[]): Promise<string> {
  const own = shown === undefined ? [] : ['-cert', shown.certificateFile, '-key', shown.keyFile]
  const client = spawn('openssl', ['s_client', '-connect', `127.0.0.1:${port}`, ...own, ...more, '-ign_eof'])
  client.stdin.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  let text = ''
  for (const stream of [client.stdout, client.stderr])
    stream.setEncoding('utf8').on('data', (piece) => (text += piece))
  await once(client, 'close')
  return text
}

const isServed = async (...args: Parameters<typeof answerTo>) =>
  /HTTP\/1\.1 200/.test(await answerTo(...args))

test('whoever shows a revoked certificate is refused, and the log names it', async () => {
  const [ann, bob] = [root.issue('ann'), root.issue('bob')]
  root.revoke(bob)
  const port = await asking('shop')
  await management.untilHealth('services/shop', 'Up')
  assert.equal(await isServed(port, bob), true, 'without a list nobody knows')
  await obey('shop', 'root')
  await management.untilHealth(
    'services/shop',
    'Up',
    /are refused until client-certificate-crls\/root is downloaded: .*404/,
  )
  assert.equal(await isServed(port, ann), false, 'the list that is to be obeyed was not given')

  lists.set('/shop-given', root.list())
  await management.call('PUT', 'services/shop/client-certificate-crls/root', { url: `${at}/shop-given` })
  await management.untilHealth('services/shop', 'Up', /under CN=middle are refused/)
  for (const version of ['-tls1_2', '-tls1_3']) {
    assert.equal(await isServed(port, ann, version), true, version)
    assert.equal(await isServed(port, bob, version), false, version)
    assert.equal(await isServed(port, undefined, version), false, version)
  }
  const [entry] = await management.entries('web-firewall-logs', (one) =>
    /CN=bob/.test(one['attack-detail'] ?? ''),
  )
  assert.match(
    entry?.['attack-detail'] ?? '',
    /^The certificate CN=bob with the serial number [0-9A-F]+ was revoked\.$/,
  )
  assert.equal(entry?.attack, 'deny-acl-matched')
})

test('a client whose certificate is revoked later loses its connections and cannot resume its session', async () => {
  const [carl, dora] = [root.issue('carl'), root.issue('dora')]
  lists.set('/later-root', root.list())
  const port = await asking('later')
  await obey('later', 'root')
  await management.untilHealth('services/later', 'Up', /under CN=middle/)
  const connected = async ({ certificate: cert, key }: IssuedCertificate, session?: Buffer) => {
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, cert, key, session })
    socket.on('error', () => undefined)
    const sessions: Buffer[] = []
    socket.on('session', (one) => sessions.push(one))
    const status = await answerOver(socket)
    return { socket, status, session: sessions.at(-1) }
  }
  const answerOver = async (socket: TLSSocket) => {
    const ended = once(socket, 'close').then(() => 'closed')
    const answered = once(socket, 'data').then(([data]) => String(data).slice(9, 12))
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    return Promise.race([answered, ended]).catch(() => 'closed')
  }
  const [ofCarl, ofDora] = [await connected(carl), await connected(dora)]
  assert.deepEqual([ofCarl.status, ofDora.status], ['200', '200'])
  assert.ok(ofCarl.session, 'the session could be resumed')
  root.revoke(carl)
  lists.set('/later-newer', root.list({ madeAt: Date.now() }))
  await management.call('POST', 'services/later/client-certificate-crls', {
    name: 'newer',
    url: `${at}/later-newer`,
  })
  await once(ofCarl.socket, 'close', { signal: AbortSignal.timeout(30_000) })
  assert.equal((await connected(carl, ofCarl.session)).status, 'closed')
  assert.equal(await answerOver(ofDora.socket), '200', 'others go on')
  ofDora.socket.destroy()
})

test('each certificate of a chain needs a list that counts', async () => {
  const eve = middle.issue('eve')
  const chained = ['-cert_chain', middle.own.certificateFile]
  lists.set('/chain-root', root.list())
  const port = await asking('chain')
  await obey('chain', 'root')
  await management.untilHealth(
    'services/chain',
    'Up',
    /under CN=middle are refused: client-certificate-crls has no list from it/,
  )
  assert.equal(await isServed(port, eve, ...chained), false)
  const [entry] = await management.entries('web-firewall-logs', (one) =>
    /CN=eve/.test(one['attack-detail'] ?? ''),
  )
  assert.match(entry?.['attack-detail'] ?? '', /there is no list of revoked certificates from its issuer/)
  lists.set('/chain-middle', middle.list())
  await obey('chain', 'middle')
  await management.untilHealth('services/chain', 'Up', /^$/)
  assert.equal(await isServed(port, eve, ...chained), true)

  middle.revoke(eve)
  lists.set('/chain-newer', middle.list({ madeAt: Date.now() }))
  await management.call('PUT', 'services/chain/client-certificate-crls/middle', { url: `${at}/chain-newer` })
  await management.untilHealth('services/chain', 'Up', /^$/)
  assert.equal(await isServed(port, eve, ...chained), false)
})

test('a list that is broken, expired, of another authority or from a forbidden address lets nobody in, and the status says why', async () => {
  const fay = root.issue('fay')
  const good = root.list()
  const forged = stranger.list()
  const port = await asking('bad')
  await obey('bad', 'root')
  let ran = 0
  for (const [path, list, reason] of [
    ['/bad-text', Buffer.from('<html>Log in</html>'), /it is no list of revoked certificates: /],
    ['/bad-cut', good.subarray(0, good.length - 200), /it is no list of revoked certificates: /],
    [
      '/bad-expired',
      root.list({ madeAt: Date.now() - 2 * hourMs, expiresAt: Date.now() - hourMs }),
      /it has expired/,
    ],
    ['/bad-future', root.list({ madeAt: Date.now() + hourMs }), /it is of a time to come/],
    ['/bad-forged', forged, /none of the trusted-certificates has signed it/],
  ] as const) {
    lists.set(path, list)
    await management.call('PUT', 'services/bad/client-certificate-crls/root', { url: `${at}${path}` })
    await management.untilHealth('services/bad', 'Up', reason)
    assert.equal(await isServed(port, fay), false, path)
    ran++
  }
  assert.equal(ran, 5)
  await management.call('PUT', 'services/bad/client-certificate-crls/root', {
    url: 'http://169.254.169.254/list',
  })
  await management.untilHealth('services/bad', 'Up', /has forbidden connections to 169\.254\.169\.254/)
  assert.equal(await isServed(port, fay), false)
  await management.call('PUT', 'services/bad/client-certificate-crls/root', {
    enable: 'No',
    url: `${at}/bad-text`,
  })
  await management.untilHealth('services/bad', 'Up', /^$/)
  assert.equal(await isServed(port, fay), true, 'a list that is switched off is not obeyed')
})

test('where certificates are optional, whoever shows a revoked one is refused all the same', async () => {
  const [gil, hal] = [root.issue('gil'), root.issue('hal')]
  root.revoke(hal)
  lists.set('/optional-root', root.list())
  const port = await asking('optional', { 'enforce-client-certificate': 'No' })
  await obey('optional', 'root')
  await management.untilHealth('services/optional', 'Up', /under CN=middle/)
  assert.equal(await isServed(port), true)
  assert.equal(await isServed(port, gil), true)
  assert.equal(await isServed(port, hal), false)
})

test('with ssl-ocsp the authority is asked about each certificate, and one that it has revoked is refused', async () => {
  const [ida, jon] = [root.issue('ida'), root.issue('jon')]
  root.revoke(jon)
  const port = await asking('asked')
  await management.untilHealth('services/asked', 'Up')
  assert.equal(await isServed(port, jon), true, 'nobody is asked')
  await management.call('PUT', 'services/asked/ssl-ocsp', {
    enable: 'Yes',
    'responder-url': at,
    certificate: 'root',
  })
  await management.untilHealth('services/asked', 'Up', /^$/)
  for (const version of ['-tls1_2', '-tls1_3']) {
    assert.equal(await isServed(port, ida, version), true, version)
    assert.equal(await isServed(port, jon, version), false, version)
  }
  await management.entries('web-firewall-logs', (one) =>
    /CN=jon .* was revoked/.test(one['attack-detail'] ?? ''),
  )
})
