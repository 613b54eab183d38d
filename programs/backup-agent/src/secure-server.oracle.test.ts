import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ServerRelay } from './testing/agent/server-relay.ts'
import { TestAgent } from './testing/agent/test-agent.ts'
import { temporaryDirectory } from './testing/temporary-directory.ts'
import { hasTools, run } from './testing/tool.ts'
import { sha256Of, writeVolumeImage } from './testing/volumes/volume-image.ts'

const sizeMebibytes = 48

/** A certificate that nobody else trusts. */
function makeCertificate(t: TestContext): { cert: string; key: string } {
  const directory = temporaryDirectory(t)
  const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')]
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256']
  run('openssl', 'req', '-x509', '-nodes', '-days', '2', ...kind, ...subject, '-keyout', key, '-out', cert)
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
}

for (const [how, trustOf] of [
  ['whose certificate it was given', (ca: string) => ({ ca, insecure: false })],
  ['whose certificate it was told not to look at', () => ({ insecure: true })],
] as const) {
  test(`backs up to and restores from a server ${how}`, async (t) => {
    if (!hasTools(t, 'openssl', 'qemu-img')) return
    const certificate = makeCertificate(t)
    const agent = await TestAgent.start(t, { trust: trustOf(certificate.cert) }, certificate)
    const image = join(agent.directory, 'image.raw')
    // More than the agent takes in before it lets the server wait.
    writeVolumeImage(image, sizeMebibytes * 1024 * 1024)
    const revision = await agent.server.backUp('b1', { path: image })
    const outcome = await agent.server.restore('r1', agent.target, 'Vhdx', [revision])
    assert.equal(outcome.state, 'SUCCESS')
    const volume = join(agent.directory, 'volume.raw')
    run('qemu-img', 'convert', '-O', 'raw', join(agent.target, 'disk.vhdx'), `${volume}.disk`)
    run('dd', `if=${volume}.disk`, `of=${volume}`, 'bs=1M', 'skip=1', `count=${sizeMebibytes}`, 'status=none')
    assert.equal(sha256Of(volume), sha256Of(image))
  })
}

test('says nothing to a server whose certificate it does not trust', async (t) => {
  if (!hasTools(t, 'openssl')) return
  const agent = await TestAgent.prepare(t, {}, makeCertificate(t))
  await assert.rejects(agent.start(), { name: 'AgentRefused', message: /not trusted/ })
  assert.equal(agent.server.requestCounts.size, 0)
})

test('trusts each of several servers by its certificate, and uses those that it trusts', async (t) => {
  if (!hasTools(t, 'openssl')) return
  const agent = await TestAgent.prepare(t)
  const certificates = [makeCertificate(t), makeCertificate(t)] as const
  const first = await ServerRelay.start(t, agent.server, certificates[0])
  const second = await ServerRelay.start(t, agent.server, certificates[1])
  const membership = { serverUrls: [first.url, second.url], account: 'acme', computer: '0001' } as const
  const image = join(agent.directory, 'image.raw')
  writeVolumeImage(image, 5 * 1024 * 1024)
  const trusting = (ca: string) => agent.start({ membership, trust: { ca, insecure: false } })

  const stranger = makeCertificate(t)
  await assert.rejects(trusting(stranger.cert), { name: 'AgentRefused', message: /not trusted/ })
  assert.equal(agent.server.requestCounts.size, 0)
  await trusting(certificates[1].cert)
  assert.equal(agent.linkedTo, second.url)
  await agent.stop()
  await trusting(certificates.map(({ cert }) => cert).join(''))
  assert.equal(agent.linkedTo, first.url)
  first.cut()
  await agent.server.backUp('b1', { path: image })
  assert.equal(agent.linkedTo, second.url)
})
