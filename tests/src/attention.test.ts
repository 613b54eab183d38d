import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { eventually } from './support/programs/calls.ts'
import { cleanUp, newFolder, provisioned, Server } from './support/programs/server.ts'

after(cleanUp)

const owner = { username: 'ops', password: 'a long enough password', grants: [{ role: 'owner' }] }

interface Item {
  readonly service: string
  readonly condition: string
  readonly severity: string
  readonly resolvedAt: string | null
}

async function listOf(server: Server): Promise<Item[]> {
  return (await read(server, 'attention')).items
}

/** What an owner reads of the administration. */
async function read(server: Server, path: string) {
  const login = await fetch(`${server.services}/admin/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: owner.username, password: owner.password }),
  })
  assert.equal(login.status, 201)
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
  const reply = await fetch(`${server.services}/admin/v1/${path}`, { headers: { cookie } })
  assert.equal(reply.status, 200)
  return Object(await reply.json())
}

test('a disk that fills up and a certificate about to expire are listed, counted, sent once, and over when they are mended', async () => {
  const received: { kind: string; condition: string }[] = []
  const hook = createServer((request, response) => {
    void json(request).then((body) => {
      received.push(...Object(body).data.notices)
      response.writeHead(204).end()
    })
  }).listen(0, '127.0.0.1')
  await once(hook, 'listening')
  const folder = newFolder()
  const disk = join(folder, 'data')
  mkdirSync(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m,mode=700', 'none', disk])
  try {
    const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
        ...['-keyout', keyFile, '-out', certificateFile],
      ],
      { stdio: 'ignore' },
    )
    const { port } = hook.address() as AddressInfo
    const server = await Server.start(folder, {
      ...provisioned,
      services: { ...provisioned.services, certificate: { certificateFile, keyFile } },
      administration: {
        operators: [owner],
        attentionSeconds: 1,
        notifications: {
          channels: [
            { name: 'ops', webhook: { url: `http://127.0.0.1:${port}/`, secret: 'a secret of the webhook' } },
          ],
          routes: [{ channels: ['ops'], groupSeconds: 0, services: ['disk', 'operations'] }],
        },
      },
    })
    try {
      const sent = (condition: string, kind: string) =>
        received.filter((notice) => notice.condition === condition && notice.kind === kind).length
      await eventually(
        'word of the certificate',
        async () => sent('certificate-expiry', 'raised') > 0 || undefined,
      )
      const filler = join(disk, 'filler')
      writeFileSync(filler, Buffer.alloc(58 * 1024 ** 2))
      await eventually('word of the disk', async () => sent('disk-filling-up', 'raised') > 0 || undefined)
      const list = await listOf(server)
      assert.deepEqual(list.map(({ service, condition }) => `${service} ${condition}`).sort(), [
        'disk disk-filling-up',
        'operations certificate-expiry',
      ])
      const system = await read(server, 'system')
      assert.deepEqual(
        [system.version, system.database.kind, system.storage.folder, system.isHealthy],
        ['0.1.0', 'sqlite', disk, false],
      )
      assert.ok(system.storage.freeBytes < 0.1 * system.storage.totalBytes && system.database.sizeBytes > 0)
      assert.deepEqual(
        system.services.flatMap(({ warnings }: { warnings: { condition: string }[] }) =>
          warnings.map(({ condition }) => condition),
        ),
        ['certificate-expiry'],
      )
      const metrics = await (await fetch(`${server.services}/metrics`)).text()
      assert.match(
        metrics,
        /^palisade_attention\{service="disk",condition="disk-filling-up",severity="\w+"\} 1$/m,
      )
      rmSync(filler)
      await eventually('the end of it', async () => sent('disk-filling-up', 'resolved') > 0 || undefined)
      assert.deepEqual(
        (await listOf(server)).map(({ condition }) => condition),
        ['certificate-expiry'],
      )
      assert.deepEqual(
        [
          sent('disk-filling-up', 'raised'),
          sent('disk-filling-up', 'resolved'),
          sent('certificate-expiry', 'raised'),
        ],
        [1, 1, 1],
      )
    } finally {
      await server.program.stop()
    }
  } finally {
    execFileSync('umount', [disk])
    hook.close().closeAllConnections()
  }
})
