import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { TLSSocket } from 'node:tls'
import { basic, firewallToken } from './support/programs/calls.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'

after(cleanUp)

test('the firewall’s HTTPS listener presents the certificate that administrators chose, from the next start on', async () => {
  const home = newFolder()

  await changed('self-signed-management-certificate', {
    'common-name': 'waf.example.com',
    'key-size': '2048',
  })
  assert.match((await presented()).subject, /CN=waf\.example\.com/)

  const folder = newFolder()
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  execFileSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '9'],
    ...['-keyout', key, '-out', certificate, '-subj', '/CN=trusted.example.com'],
    ...['-addext', 'subjectAltName=DNS:localhost'],
  ])
  const ca = readFileSync(certificate, 'utf8')
  await changed('trusted-management-certificate', {
    'signed-certificate': ca,
    'private-key': readFileSync(key, 'utf8'),
  })
  assert.match((await presented()).subject, /CN=waf\.example\.com/)
  await changed('secure-administration', { 'certificate-type': 'Trusted (Signed by a trusted CA)' })
  assert.match((await presented(ca)).subject, /CN=trusted\.example\.com/)
  const { warnings } = await whileRunning(async ({ services }) => {
    const reply = await fetch(`${services}/readyz`)
    return (await reply.json()) as { warnings?: { condition: string; message: string }[] }
  })
  assert.deepEqual(
    warnings?.map(({ condition }) => condition),
    ['certificate-expiry'],
  )
  assert.match(warnings?.[0]?.message ?? '', /^The certificate of firewall\.listen\.https expires on /)

  /** Changes a section of the system in one life of the server. */
  async function changed(section: string, body: object): Promise<void> {
    await whileRunning(async (server) => {
      const reply = await fetch(`${server.firewall}/restapi/v3.2/system/${section}`, {
        method: 'PUT',
        headers: { ...basic(await firewallToken(server)), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      assert.equal(reply.status, 200, await reply.text())
    })
  }

  /** What the listener presents in another life; with `ca`, to a client that trusts that alone. */
  function presented(ca?: string): Promise<{ subject: string }> {
    return whileRunning((server) => certificateAt(server.ports.firewall.https, ca))
  }

  async function whileRunning<T>(work: (server: Server) => Promise<T>): Promise<T> {
    const server = await Server.start(home)
    try {
      return await work(server)
    } finally {
      await server.program.stop()
    }
  }
})

function certificateAt(port: number, ca: string | undefined): Promise<{ subject: string }> {
  return new Promise((resolve, reject) => {
    const trust = ca === undefined ? { rejectUnauthorized: false } : { ca, servername: 'localhost' }
    const call = request({ host: '127.0.0.1', port, ...trust }, (reply) => {
      const socket = reply.socket as TLSSocket
      resolve({ subject: socket.getPeerX509Certificate()?.subject ?? '' })
      reply.resume()
    })
    call.on('error', reject)
    call.end()
  })
}
