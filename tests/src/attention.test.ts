import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { freePort } from './support/firewall/proxy.ts'
import { eventually } from './support/programs/calls.ts'
import { makeCertificate } from './support/programs/make-certificate.ts'
import { Program } from './support/programs/program.ts'
import { cleanUp, newFolder, provisioned } from './support/programs/server.ts'
import { WatchedServer, WebhookReceiver } from './support/programs/watched-server.ts'

after(cleanUp)

async function reload({ server }: WatchedServer): Promise<string> {
  const program = new Program(['config', 'reload', join(server.folder, 'palisade.json')])
  const { status } = await program.ended()
  assert.equal(status, 0, program.output)
  return program.output
}

test('a disk that fills up is listed, counted, sent once, and over when there is room again', async () => {
  const folder = newFolder()
  const disk = join(folder, 'data')
  mkdirSync(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m,mode=700', 'none', disk])
  try {
    const watched = await WatchedServer.start(provisioned, folder)
    try {
      const filler = join(disk, 'filler')
      writeFileSync(filler, Buffer.alloc(58 * 1024 ** 2))
      const full = await watched.raised('disk-filling-up')
      assert.deepEqual([full.service, full.subject], ['disk', disk])
      assert.deepEqual(
        (await watched.list()).map(({ condition }) => condition),
        ['disk-filling-up'],
      )
      const system = await watched.read('system')
      assert.deepEqual(
        [system.version, system.database.kind, system.storage.folder, system.isHealthy],
        ['0.1.0', 'sqlite', disk, true],
      )
      assert.ok(system.storage.freeBytes < 0.1 * system.storage.totalBytes && system.database.sizeBytes > 0)
      const metrics = await (await fetch(`${watched.server.services}/metrics`)).text()
      assert.match(
        metrics,
        /^palisade_attention\{service="disk",condition="disk-filling-up",severity="\w+"\} 1$/m,
      )
      rmSync(filler)
      await watched.resolved(full)
      assert.deepEqual(await watched.list(), [])
    } finally {
      await watched.stop()
    }
  } finally {
    execFileSync('umount', [disk])
  }
})

test('a certificate about to expire and one that has expired are told of until a reload presents another', async () => {
  const folder = newFolder()
  const services = {
    ...provisioned.services,
    certificate: makeCertificate(folder, -9, 2),
  }
  const watched = await WatchedServer.start({ ...provisioned, services }, folder)
  const expiring = await watched.raised('certificate-expiry')
  assert.equal(expiring.service, 'operations')
  assert.match(expiring.message, /^The certificate of services\.listen\.https expires /)
  const { isHealthy, services: parts } = await watched.read('system')
  assert.deepEqual(
    [isHealthy, parts.flatMap(({ warnings }: { warnings: { condition: string }[] }) => warnings).length],
    [false, 1],
  )
  makeCertificate(folder, -9, -1)
  await reload(watched)
  await watched.says(expiring, /https has expired on /)
  makeCertificate(folder, -1, 90)
  await reload(watched)
  await watched.resolved(expiring)
  const metrics = await (await fetch(`${watched.server.services}/metrics`)).text()
  const [, end] =
    /^palisade_certificate_expiry_timestamp_seconds{used_by="services-listener"} (\d+)$/m.exec(metrics) ?? []
  const daysLeft = (Number(end) - Date.now() / 1000) / 86_400
  assert.ok(daysLeft > 89 && daysLeft <= 90, `${daysLeft} days`)
  await watched.stop()
})

test('a listener whose port another program has is told of, and opens when the port is free or a reload names another', async () => {
  const takers = [createServer(), createServer()]
  const ports: number[] = []
  for (const taker of takers) {
    taker.listen(0, '127.0.0.1').unref()
    await once(taker, 'listening')
    ports.push((taker.address() as AddressInfo).port)
  }
  const [http = 0, https = 0] = ports
  const listen = { http, https }
  const watched = await WatchedServer.start({
    ...provisioned,
    firewall: { ...provisioned.firewall, listen },
  })
  const { server } = watched
  const closed = await watched.raised('listener-closed')
  assert.deepEqual([closed.service, closed.severity], ['operations', 'critical'])
  for (const [scheme, port] of Object.entries(listen)) {
    assert.ok(
      closed.message.includes(
        `firewall.listen.${scheme} names 127.0.0.1, port ${port}, which cannot be opened: another program listens there already. It is tried again.`,
      ),
      closed.message,
    )
  }
  const ready = await fetch(`${server.services}/readyz`)
  assert.equal(ready.status, 200, 'the other services do their work')
  assert.equal((await fetch(`${server.services}/backup/v2/accounts/acme/computers`)).status, 401)

  takers[0]?.close()
  await eventually('the opening of the port that is free', async () => {
    const reply = await fetch(`${server.firewall}/restapi/v3.2/services`).catch(() => undefined)
    return reply?.status === 401 || undefined
  })
  assert.equal((await watched.list())[0]?.subject, closed.subject, 'one port is closed still')

  const file = join(server.folder, 'palisade.json')
  const anotherPort = await freePort()
  const edited = {
    ...watched.configuration,
    firewall: { ...provisioned.firewall, listen: { http, https: anotherPort } },
  }
  writeFileSync(file, JSON.stringify(edited), { mode: 0o600 })
  const outcome = await reload(watched)
  assert.match(outcome, /firewall\.listen\.https/)
  assert.doesNotMatch(outcome, /restart/)
  await watched.resolved(closed)
  takers[1]?.close()
  await watched.stop()
})

test('a channel whose receiver refuses is told of at another one until it takes word, and a changed file moves channels with a reload', async () => {
  const watched = await WatchedServer.start(provisioned)
  const pager = new WebhookReceiver()
  const [channel] = (await pager.start()).channels
  pager.status = 500
  const asOwner = (path: string, body?: object) =>
    fetch(`${watched.server.services}/admin/v1/${path}`, {
      method: 'POST',
      headers: { ...watched.session, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  assert.equal((await asOwner('channels', { ...channel, name: 'pager' })).status, 201)
  assert.equal((await asOwner('channels/pager/test')).status, 202)
  await eventually('a refusal', async () => pager.count('test', 'test') > 0 || undefined)
  const ofPager = async () => {
    const { items } = await watched.read('channels')
    return items.find(({ name }: { name: string }) => name === 'pager')
  }
  await eventually('the failure of the channel', async () => (await ofPager()).failingSince ?? undefined)
  assert.deepEqual(await watched.list(), [], 'it may be for a moment')
  watched.setBack(
    `UPDATE admin_channel SET failing_since = failing_since - ${5 * 60_000} WHERE name = 'pager'`,
  )
  const failing = await watched.raised('channel-failing')
  assert.deepEqual(
    [failing.service, failing.subject, failing.severity],
    ['administration', 'channel pager', 'warning'],
  )
  assert.match(failing.message, /^Notifications to pager cannot be sent: the webhook answered 500\. /)
  const metrics = await (await fetch(`${watched.server.services}/metrics`)).text()
  assert.match(metrics, /^palisade_notification_deliveries_total{kind="webhook",result="failed"} [1-9]/m)
  assert.match(metrics, /^palisade_notification_deliveries_total{kind="webhook",result="sent"} [1-9]/m)
  pager.status = 204
  watched.setBack(`UPDATE admin_channel SET retry_at = 1 WHERE name = 'pager'`)
  await watched.resolved(failing)
  assert.deepEqual([(await ofPager()).failure, pager.count('test', 'test')], [null, 2])
  pager.stop()

  const other = new WebhookReceiver()
  const notifications = await other.start()
  const { administration } = watched.configuration
  const edited = { ...watched.configuration, administration: { ...administration, notifications } }
  writeFileSync(join(watched.server.folder, 'palisade.json'), JSON.stringify(edited), { mode: 0o600 })
  assert.match(await reload(watched), /administration\.notifications/)
  assert.equal((await asOwner('channels/ops/test')).status, 202)
  await eventually('the test', async () => other.count('test', 'test') > 0 || undefined)
  assert.equal(watched.receiver.count('test', 'test'), 0)
  other.stop()
  await watched.stop()
})
