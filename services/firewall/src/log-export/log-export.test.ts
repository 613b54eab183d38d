import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createServer as createTlsServer } from 'node:tls'
import { onEveryStore } from '@palisade/platform/testing'
import { anyCertificate } from '../certificates/testing/any-certificate.ts'
import { type Client, logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'
import { JsonLines } from './json-lines.ts'

/** Waits for messages of the system log that fit, and gives all that are there then. */
async function messages(client: Client, fits: RegExp): Promise<string[]> {
  for (let tries = 0; tries < 100; tries++) {
    const { data } = (await client.get('system-logs')).json
    const fitting = Object.values(data as Record<string, Record<string, string>>)
      .map(({ message = '' }) => message)
      .filter((message) => fits.test(message))
    if (fitting.length > 0) return fitting
    await pause(50)
  }
  return []
}

onEveryStore('logs that do not reach their servers', (newStore) => {
  test('are told of in the system log, once and with the reason', async (t) => {
    const served = await serveFirewall({ store: await newStore() })
    t.after(() => served.close())
    const client = await logIn(served.baseUrl)
    const untrusted = createTlsServer({
      cert: anyCertificate.certificatePem,
      key: anyCertificate.privateKeyPem,
    }).listen(0, '127.0.0.1')
    t.after(() => untrusted.close())
    const closed = createServer().listen(0, '127.0.0.1')
    await Promise.all([once(untrusted, 'listening'), once(closed, 'listening')])
    const [secure, away] = [untrusted, closed].map((server) => (server.address() as AddressInfo).port)
    closed.close()
    for (const [name, port, type, server] of [
      ['away', away, 'TCP', 'Syslog NG'],
      ['secure', secure, 'SSL', 'Syslog NG'],
      ['queue', 5671, 'SSL', 'AMQPS'],
    ] as const) {
      const { status, text } = await client.call('POST', 'syslog-servers', {
        name,
        'server-type': server,
        'ip-address': '127.0.0.1',
        port,
        'connection-type': type,
        'validate-server-certificate': 'Yes',
      })
      assert.equal(status, 201, text)
    }
    assert.match((await messages(client, new RegExp(`port ${away}: `))).join(), /ECONNREFUSED/)
    assert.match((await messages(client, new RegExp(`port ${secure}: `))).join(), /certificate/)
    assert.equal((await messages(client, /syslog server queue: the type AMQPS is not supported/)).length, 1)
    // Long enough for it to be tried again.
    await pause(1_500)
    assert.equal((await messages(client, new RegExp(`port ${away}: `))).length, 1)
  })
})

test('files that cannot be written are told of once, and written when they can be', async (t) => {
  const folder = join(mkdtempSync(join(tmpdir(), 'palisade-json-lines-')), 'logs')
  t.after(() => rmSync(join(folder, '..'), { recursive: true }))
  const messages: string[] = []
  const files = new JsonLines(folder, (reason) => messages.push(reason))
  const write = async () => {
    files.write('access', { url: '/' })
    await pause(50)
  }
  rmSync(folder, { recursive: true })
  await write()
  await write()
  assert.equal(messages.length, 1)
  assert.match(messages[0] ?? '', /ENOENT/)
  new JsonLines(folder, () => undefined)
  await write()
  assert.equal(readdirSync(folder).length, 1)
  assert.equal(messages.length, 1)
  await files.close()
})
