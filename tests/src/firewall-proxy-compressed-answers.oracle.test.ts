import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cleanUpProcesses, startApplication } from './support/applications/application-process.ts'
import { freePort, Management, ProxyProcess } from './support/firewall/proxy.ts'
import { cleanUp, Server } from './support/programs/server.ts'

/**
 * An application of Python's own WSGI server, which reads `Accept_Encoding` as it reads `Accept-Encoding`. It compresses where it is asked to, and
 * at /always whatever it is asked.
 */
const program = `
import gzip, sys
from wsgiref.simple_server import make_server

def application(environ, start):
    body = b"card 4111 1111 1111 1111 of Ann"
    headers = [("Content-Type", "text/html")]
    if "gzip" in environ.get("HTTP_ACCEPT_ENCODING", "") or environ["PATH_INFO"] == "/always":
        body = gzip.compress(body)
        headers.append(("Content-Encoding", "gzip"))
    start("200 OK", headers)
    return [body]

make_server("127.0.0.1", int(sys.argv[1]), application).serve_forever()
`

const masked = 'card XXXX XXXX XXXX 1111 of Ann'

let applicationPort: number
let port: number
before(async () => {
  applicationPort = await freePort()
  await startApplication({
    command: '/usr/bin/python3',
    argv: ['-c', program, String(applicationPort)],
    environment: {},
    address: `http://127.0.0.1:${applicationPort}/`,
  })
  const server = await Server.start()
  await ProxyProcess.start(server)
  const management = await Management.connect(server)
  await management.call('POST', 'security-policies', { name: 'careful' })
  await management.call('POST', 'security-policies/careful/protected-data-types', {
    name: 'cards',
    'identity-theft-type': 'Credit Cards',
    action: 'Cloak',
  })
  port = await management.protect('shop', applicationPort, { status: 'Off' })
  const basicSecurity = { mode: 'Active', 'web-firewall-policy': 'careful' }
  await management.call('PUT', 'services/shop/basic-security', basicSecurity)
  await management.call('POST', 'services/shop/url-policies', {
    name: 'all',
    url: '/*',
    mode: 'Active',
    'enable-data-theft-protection': 'Yes',
  })
  await management.call('PUT', 'services/shop', { status: 'On' })
  await management.untilHealth('services/shop', 'Up')
})
after(async () => {
  await cleanUp()
  await cleanUpProcesses()
})

async function get(at: number, path: string, headers: Record<string, string> = {}) {
  const all = { 'accept-encoding': 'identity', ...headers }
  const reply = await fetch(`http://127.0.0.1:${at}${path}`, { headers: all })
  return [reply.status, reply.headers.get('content-encoding'), await reply.text()]
}

test('no spelling of Accept-Encoding has an application send a card number past data theft protection', async () => {
  const spelledHeaders = { Accept_Encoding: 'gzip' }
  const [, coding, text] = await get(applicationPort, '/', spelledHeaders)
  assert.deepEqual([coding, text], ['gzip', 'card 4111 1111 1111 1111 of Ann'])
  for (const headers of [{}, spelledHeaders, { accept_encoding: 'gzip' }, { 'Accept.Encoding': 'gzip' }]) {
    assert.deepEqual(await get(port, '/', headers), [200, null, masked], JSON.stringify(headers))
  }
})

test('what an application compresses unasked is masked as well', async () => {
  assert.deepEqual(await get(port, '/always'), [200, null, masked])
})
