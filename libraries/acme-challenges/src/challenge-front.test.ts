import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, connect as plain } from 'node:net'
import { type TestContext, test } from 'node:test'
import { connect, createServer as createTlsServer } from 'node:tls'
import { challengeFront } from './challenge-front.ts'
import { Challenges } from './challenges.ts'

/** A key and a self-signed certificate for a host. */
function certificateFor(host: string): { readonly chain: string; readonly privateKey: string } {
  const pem = execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '9'],
      ...['-keyout', '-', '-out', '-', '-subj', `/CN=${host}`],
    ],
    { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' },
  )
  const at = pem.indexOf('-----BEGIN CERTIFICATE')
  return { privateKey: pem.slice(0, at), chain: pem.slice(at) }
}

/** A TLS server for clients behind a front. */
async function serve(t: TestContext) {
  const { chain, privateKey } = certificateFor('clients.example')
  const clients = createTlsServer({ cert: chain, key: privateKey, ALPNProtocols: ['http/1.1'] })
  clients.on('secureConnection', (socket) => socket.pipe(socket))
  const challenges = new Challenges()
  const front = challengeFront(challenges, { admit: (socket) => clients.emit('connection', socket) })
  const server = createServer((socket) => front.admit(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return { challenges, port: (server.address() as AddressInfo).port }
}

async function shown(t: TestContext, port: number, servername: string, ...protocols: string[]) {
  const socket = connect({
    host: '127.0.0.1',
    port,
    servername,
    ALPNProtocols: protocols,
    rejectUnauthorized: false,
  })
  t.after(() => socket.destroy())
  await once(socket, 'secureConnect')
  return { socket, subject: socket.getPeerX509Certificate()?.subject }
}

test('an authority is shown the proof of the host that it asks for, and clients never', async (t) => {
  const { challenges, port } = await serve(t)
  const proof = certificateFor('proof.example')
  await assert.rejects(shown(t, port, 'shop.example', 'acme-tls/1'))
  challenges.take({ http: [], tls: [{ name: 'shop.example', certificate: proof }] })

  assert.equal((await shown(t, port, 'SHOP.example', 'acme-tls/1')).subject, 'CN=proof.example')
  await assert.rejects(shown(t, port, 'other.example', 'acme-tls/1'))
  for (const protocols of [['http/1.1'], ['acme-tls/1', 'http/1.1'], []]) {
    const { socket, subject } = await shown(t, port, 'shop.example', ...protocols)
    assert.equal(subject, 'CN=clients.example')
    socket.end('echo')
    assert.equal(Buffer.concat(await socket.toArray()).toString(), 'echo')
  }

  challenges.take(undefined)
  await assert.rejects(shown(t, port, 'shop.example', 'acme-tls/1'))
})

test('what begins with no handshake, or breaks off in one, ends that connection and no other', async (t) => {
  const { challenges, port } = await serve(t)
  challenges.take({ http: [], tls: [{ name: 'shop.example', certificate: certificateFor('proof.example') }] })
  for (const bytes of ['GET / HTTP/1.1\r\n\r\n', '\x16\x03\x01\x00\x02\x01\x00', '\x16\x03\x01']) {
    const socket = plain(port, '127.0.0.1').on('error', () => undefined)
    socket.end(Buffer.from(bytes, 'latin1'))
    await once(socket.resume(), 'close')
  }
  assert.equal((await shown(t, port, 'shop.example', 'acme-tls/1')).subject, 'CN=proof.example')
})

test('over HTTP only the token that is to be proved is answered, at its address', () => {
  const challenges = new Challenges()
  const path = '/.well-known/acme-challenge/'
  assert.equal(challenges.ofRequest(`${path}token`), undefined)
  challenges.take({ http: [{ token: 'token', keyAuthorization: 'token.thumbprint' }], tls: [] })
  assert.equal(challenges.ofRequest(`${path}token`)?.body, 'token.thumbprint')
  for (const other of [path, `${path}token/`, `${path}Token`, `/x${path}token`, '/token']) {
    assert.equal(challenges.ofRequest(other), undefined, other)
  }
  challenges.take(undefined)
  assert.equal(challenges.ofRequest(`${path}token`), undefined)
})
