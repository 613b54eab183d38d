import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Outcome } from '@palisade/agent-protocol'
import { isVaultFailure, openChunk } from '@palisade/vault'
import { TestAgent } from '../testing/agent/test-agent.ts'
import { volumeIn } from '../testing/revisions/restored-disk.ts'
import { writeVolumeImage } from '../testing/volumes/volume-image.ts'

const mebibyte = 1024 * 1024

/** An agent with an image and a key of its own, and a revision that it has sealed. */
async function sealedRevision(t: TestContext) {
  const agent = await TestAgent.prepare(t)
  const { server, directory } = agent
  const keyFile = join(directory, 'own.key')
  const image = join(directory, 'image.raw')
  writeVolumeImage(image, 9 * mebibyte + 512)
  await agent.start({ endToEndKeyFile: keyFile })
  const revision = await server.backUp('b1', { path: image })
  return { agent, server, keyFile, image, revision }
}

/** Starts the agent on a computer that knows nothing of what was before. */
async function startAnew(agent: TestAgent, endToEndKeyFile?: string): Promise<void> {
  await agent.stop()
  rmSync(agent.stateDirectory, { recursive: true })
  await agent.start(endToEndKeyFile === undefined ? {} : { endToEndKeyFile })
}

function writeKey(agent: TestAgent, name: string, key = randomBytes(32)): string {
  const path = join(agent.directory, name)
  writeFileSync(path, key, { mode: 0o600 })
  return path
}

function codeOf(outcome: Outcome): string {
  return outcome.state === 'ERROR' ? outcome.code : assert.fail(JSON.stringify(outcome))
}

test('an agent without the key, or with another one, restores nothing and writes nothing', async (t) => {
  const { agent, server, revision } = await sealedRevision(t)
  const cases = [
    ['EndToEndKeyMissing', undefined],
    ['EndToEndKeyWrong', writeKey(agent, 'other.key')],
  ] as const
  for (const [code, keyFile] of cases) {
    await startAnew(agent, keyFile)
    server.requestCounts.clear()
    const outcome = await server.restore(`r-${code}`, agent.target, 'Vhdx', [revision])
    assert.equal(codeOf(outcome), code)
    assert.equal(existsSync(agent.target), false)
    assert.deepEqual(
      ['presence', 'chunks'].map((name) => server.requestCounts.get(name)),
      [undefined, undefined],
    )
  }
})

test('what is sealed is not written to a share that only the server has named, unless the operator allows shares', async (t) => {
  const { agent, server, keyFile, revision } = await sealedRevision(t)
  const share = '\\\\127.0.0.1\\share\\folder'
  server.requestCounts.clear()
  assert.equal(codeOf(await server.restore('r1', share, 'Vhdx', [revision])), 'EndToEndShareRefused')
  assert.equal(server.requestCounts.get('presence'), undefined)
  await agent.stop()
  await agent.start({ endToEndKeyFile: keyFile, endToEndShares: true, sharePort: 1 })
  assert.match(codeOf(await server.restore('r2', share, 'Vhdx', [revision])), /^BackupSetActions_/)
})

test('an agent without the key, or with another one, backs nothing up', async (t) => {
  const { agent, server, image } = await sealedRevision(t)
  server.endToEndKeyCheck = server.revisions.get(1)?.metadata.endToEnd?.keyCheck ?? null
  assert.notEqual(server.endToEndKeyCheck, null)
  for (const [code, keyFile] of [
    ['EndToEndKeyMissing', undefined],
    ['EndToEndKeyWrong', writeKey(agent, 'other.key')],
  ] as const) {
    await startAnew(agent, keyFile)
    server.requestCounts.clear()
    const outcome = server.outcomeOf(`b-${code}`)
    server.start({ type: 'start-backup', id: `b-${code}`, source: { path: image } })
    assert.equal(codeOf(await outcome), code)
    assert.equal(server.requestCounts.get('missing'), undefined)
    assert.equal(existsSync(join(agent.stateDirectory, 'end-to-end.json')), false)
  }
  assert.equal(server.revisions.size, 1)
})

test('an agent that has sealed backups does not start without its key, with another, or when the file is gone', async (t) => {
  const { agent, keyFile } = await sealedRevision(t)
  await agent.stop()
  const key = readFileSync(keyFile)
  await assert.rejects(agent.start(), /name its file with --end-to-end-key-file/)
  await assert.rejects(
    agent.start({ endToEndKeyFile: writeKey(agent, 'other.key') }),
    /are sealed with [0-9a-f]{32}/,
  )
  rmSync(keyFile)
  await assert.rejects(agent.start({ endToEndKeyFile: keyFile }), /put your copy of it back/)
  assert.equal(existsSync(keyFile), false, 'no new key was made')
  await agent.start({ endToEndKeyFile: writeKey(agent, 'copy.key', key) })
})

test('a file that is no key, or that others may read, is refused', async (t) => {
  const agent = await TestAgent.prepare(t)
  const short = writeKey(agent, 'short.key', randomBytes(31))
  await assert.rejects(agent.start({ endToEndKeyFile: short }), /a key file has 32 bytes/)
  const open = writeKey(agent, 'open.key')
  chmodSync(open, 0o644)
  await assert.rejects(agent.start({ endToEndKeyFile: open }), /chmod 600/)
  const nowhere = join(agent.directory, 'no', 'such', 'folder.key')
  await assert.rejects(agent.start({ endToEndKeyFile: nowhere }), /creating the key file/)
  await agent.start()
})

test("the server's keys open nothing of it, and the key is in nothing that the server or the log got", async (t) => {
  const { agent, server, keyFile } = await sealedRevision(t)
  assert.equal(statSync(keyFile).mode & 0o777, 0o600)
  const key = readFileSync(keyFile)
  assert.ok(server.chunks.size > 0)
  for (const [id, sealed] of server.chunks) {
    assert.throws(
      () => openChunk(Buffer.from(id, 'hex'), sealed, server.keys, { sizeMaxBytes: mebibyte }),
      (error) => isVaultFailure(error, 'damaged'),
    )
    assert.equal(sealed.includes(key), false)
  }
  const output = [...agent.log, ...server.messages.map((message) => JSON.stringify(message))].join('\n')
  for (const form of ['hex', 'base64', 'base64url', 'latin1'] as const) {
    assert.equal(output.includes(key.toString(form)), false, form)
  }
  assert.match(output, /keep a copy elsewhere now.*lost for good/)
  const [hello] = server.messages.filter(({ type }) => type === 'hello')
  assert.ok(hello?.type === 'hello')
  assert.equal(hello.endToEndKeyCheck, server.revisions.get(1)?.metadata.endToEnd?.keyCheck)
})

test('a new agent of the computer restores with the key, also together with what was sealed without it', async (t) => {
  const { agent, server, keyFile, image, revision } = await sealedRevision(t)
  await startAnew(agent)
  const plain = await server.backUp('b2', { path: image })
  assert.equal(server.revisions.get(plain)?.metadata.endToEnd, undefined)
  await startAnew(agent, keyFile)
  for (const format of ['Vhdx', 'Vhd'] as const) {
    const outcome = await server.restore(`r-${format}`, agent.target, format, [revision, plain])
    assert.ok(outcome.state === 'SUCCESS' && outcome.files?.length === 2, JSON.stringify(outcome))
    for (const file of outcome.files ?? []) assert.ok((await volumeIn(file)).equals(readFileSync(image)))
  }
})

test('a second backup with the same key sends nothing again', async (t) => {
  const { agent, server, keyFile, image } = await sealedRevision(t)
  await agent.stop()
  await agent.start({ endToEndKeyFile: keyFile })
  server.requestCounts.clear()
  await server.backUp('b2', { path: image })
  assert.equal(server.requestCounts.get('chunks'), undefined)
  assert.ok((server.requestCounts.get('missing') ?? 0) > 0)
})
