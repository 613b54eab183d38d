import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { AgentMessage, Outcome } from '@palisade/agent-protocol'
import { sealChunk } from '@palisade/vault'
import { openDisk, openFile, readBytes, readPartitionTable } from '@palisade/virtual-disk'
import { type Interference, ProtocolServer, presenceOf } from './testing/agent/protocol-server.ts'
import { TestAgent } from './testing/agent/test-agent.ts'
import { eventually } from './testing/eventually.ts'
import { volumeIn } from './testing/revisions/restored-disk.ts'
import { sha256Of, writeVolumeImage } from './testing/volumes/volume-image.ts'

const mebibyte = 1024 * 1024

/** An agent with an image of an odd size: its last chunk is shorter than the others. */
async function agentWithImage(
  t: TestContext,
  sizeBytes = 21 * mebibyte + 512 * 7,
  overrides: Parameters<typeof TestAgent.start>[1] = {},
) {
  const agent = await TestAgent.start(t, overrides)
  const image = join(agent.directory, 'image.raw')
  writeVolumeImage(image, sizeBytes)
  return { agent, server: agent.server, image }
}

function failureOf(outcome: Outcome): { code: string; message: string } {
  assert.equal(outcome.state, 'ERROR')
  return outcome.state === 'ERROR' ? outcome : assert.fail()
}

function filesOf(outcome: Outcome): readonly string[] {
  return outcome.state === 'SUCCESS' && outcome.files !== undefined
    ? outcome.files
    : assert.fail(JSON.stringify(outcome))
}

const isFinished = (id: string) => (message: AgentMessage) => message.type === 'finished' && message.id === id

test('a volume comes back as VHDX and as VHD, byte for byte', async (t) => {
  const { agent, server, image } = await agentWithImage(t)
  const revision = await server.backUp('b1', { path: image })
  for (const format of ['Vhdx', 'Vhd'] as const) {
    const outcome = await server.restore(`r-${format}`, agent.target, format, [revision], 'files01-12')
    assert.deepEqual(filesOf(outcome), [join(agent.target, `files01-12.${format.toLowerCase()}`)])
    const [file = ''] = filesOf(outcome)
    assert.ok((await volumeIn(file)).equals(readFileSync(image)))
    assert.equal(statSync(file).mode & 0o777, 0o600)
  }
  assert.equal(readdirSync(agent.target).length, 2)
})

test('a volume comes back as well where what was written is read back from the disk', async (t) => {
  const { agent, server, image } = await agentWithImage(t, undefined, { verifiesFromDisk: true })
  const revision = await server.backUp('b1', { path: image })
  for (const format of ['Vhdx', 'Vhd'] as const) {
    const [file = ''] = filesOf(await server.restore(`r-${format}`, agent.target, format, [revision]))
    assert.ok((await volumeIn(file)).equals(readFileSync(image)))
  }
})

test('chunks of an odd size come back as well, in both formats', async (t) => {
  for (const chunkSizeBytes of [5000, 70_001, 3 * mebibyte]) {
    const { agent, server, image } = await agentWithImage(t, 5 * mebibyte - 512 * 3)
    server.chunkSizeBytes = chunkSizeBytes
    const revision = await server.backUp('b1', { path: image })
    for (const format of ['Vhdx', 'Vhd'] as const) {
      const [file = ''] = filesOf(await server.restore(`r-${format}`, agent.target, format, [revision]))
      assert.ok((await volumeIn(file)).equals(readFileSync(image)))
    }
  }
})

test('a second backup asks about everything and sends what changed', async (t) => {
  const { server, image } = await agentWithImage(t)
  await server.backUp('b1', { path: image })
  const chunksBefore = server.chunks.size
  server.requestCounts.clear()
  await server.backUp('b2', { path: image })
  assert.equal(server.requestCounts.get('chunks'), undefined)
  assert.ok((server.requestCounts.get('missing') ?? 0) > 0)
  const changed = readFileSync(image)
  changed.fill('changed', 3 * mebibyte, 3 * mebibyte + 100)
  writeFileSync(image, changed)
  await server.backUp('b3', { path: image })
  assert.equal(server.chunks.size, chunksBefore + 1)
  const deviceIds = [...server.revisions.values()].map(({ metadata }) => metadata.volume.deviceId)
  assert.equal(new Set(deviceIds).size, 1, 'the same source is the same volume')
})

test('zeros are never sent nor stored, and come back as zeros', async (t) => {
  const { agent, server } = await agentWithImage(t)
  const image = join(agent.directory, 'zeros.raw')
  writeFileSync(image, Buffer.alloc(5 * mebibyte))
  const revision = await server.backUp('b1', { path: image })
  assert.equal(server.chunks.size, 0)
  assert.ok(presenceOf(server.revisions.get(revision)?.ids ?? Buffer.of(1)).every((byte) => byte === 0))
  const [file = ''] = filesOf(await server.restore('r1', agent.target, 'Vhdx', [revision]))
  assert.ok((await volumeIn(file)).equals(readFileSync(image)))
})

test('several revisions come back together, those of one name under numbers', async (t) => {
  const { agent, server, image } = await agentWithImage(t, 5 * mebibyte)
  const other = join(agent.directory, 'other.raw')
  writeVolumeImage(other, 9 * mebibyte)
  const revisions = [await server.backUp('b1', { path: image }), await server.backUp('b2', { path: other })]
  const files = filesOf(await server.restore('r1', agent.target, 'Vhdx', revisions))
  assert.deepEqual(
    files,
    ['disk.vhdx', 'disk-2.vhdx'].map((name) => join(agent.target, name)),
  )
  const volumes = await Promise.all(files.map(volumeIn))
  assert.ok(volumes[0]?.equals(readFileSync(image)) && volumes[1]?.equals(readFileSync(other)))
})

test('an existing file stays as it is', async (t) => {
  const { agent, server, image } = await agentWithImage(t, 3 * mebibyte)
  const revision = await server.backUp('b1', { path: image })
  const [first = ''] = filesOf(await server.restore('r1', agent.target, 'Vhdx', [revision]))
  writeFileSync(first, 'mine')
  const [second = ''] = filesOf(await server.restore('r2', agent.target, 'Vhdx', [revision]))
  assert.equal(readFileSync(first, 'utf8'), 'mine')
  assert.equal(second, join(agent.target, 'disk-2.vhdx'))
})

test('tells how far it is, in bytes, and ends at all of them', async (t) => {
  const { agent, server, image } = await agentWithImage(t)
  const revision = await server.backUp('b1', { path: image })
  await server.restore('r1', agent.target, 'Vhdx', [revision])
  for (const id of ['b1', 'r1']) {
    const last = server.messages.findLast((message) => message.type === 'progress' && message.id === id)
    assert.ok(last?.type === 'progress')
    assert.deepEqual([last.bytesDone, last.bytesTotal], [statSync(image).size, statSync(image).size])
  }
})

test('says why a source cannot be backed up', async (t) => {
  const { agent, server } = await agentWithImage(t, mebibyte)
  const outcome = server.outcomeOf('b1')
  server.start({ type: 'start-backup', id: 'b1', source: { path: join(agent.directory, 'missing') } })
  assert.equal(failureOf(await outcome).code, 'SourceUnreadable')
})

test('says why a destination cannot be written', async (t) => {
  const { agent, server, image } = await agentWithImage(t, mebibyte)
  const revision = await server.backUp('b1', { path: image })
  const cases = {
    [join(image, 'below-a-file')]: 'CreateFolderFailed',
    '/proc/restored': 'CreateFolderFailed',
    'C:\\restored': 'CreateFolderFailed',
    '\\\\127.0.0.1\\data': 'BackupSetActions_NetworkShareInaccessible',
  }
  for (const [index, [path, code]] of Object.entries(cases).entries()) {
    assert.equal(failureOf(await server.restore(`r${index}`, path, 'Vhdx', [revision])).code, code, path)
  }
  assert.ok(!existsSync(agent.target))
})

test('refuses before it begins when there is not enough space', async (t) => {
  const { agent, server, image } = await agentWithImage(t, mebibyte)
  const revision = await server.backUp('b1', { path: image })
  const committed = server.revisions.get(revision)
  assert.ok(committed)
  // A revision of 4 TiB of which every chunk is stored.
  const chunkCount = 2 ** 18
  const volume = { ...committed.metadata.volume, capacityBytes: 2 ** 42 }
  server.revisions.set(9, {
    metadata: { ...committed.metadata, volume, chunkCount, chunkSizeBytes: 2 ** 24 },
    ids: Buffer.alloc(chunkCount * 32, 1),
  })
  const failure = failureOf(await server.restore('r1', agent.target, 'Vhdx', [9]))
  assert.equal(failure.code, 'NotEnoughSpace')
  assert.deepEqual(readdirSync(agent.target), [])
})

test('a volume that VHD cannot hold is refused with the reason', async (t) => {
  const { agent, server, image } = await agentWithImage(t, mebibyte)
  const revision = await server.backUp('b1', { path: image })
  const committed = server.revisions.get(revision)
  assert.ok(committed)
  const chunkCount = 2041 * 64
  const volume = { ...committed.metadata.volume, capacityBytes: 2041 * 1024 * mebibyte }
  server.revisions.set(9, {
    metadata: { ...committed.metadata, volume, chunkCount, chunkSizeBytes: 16 * mebibyte },
    ids: Buffer.alloc(chunkCount * 32),
  })
  assert.match(failureOf(await server.restore('r1', agent.target, 'Vhd', [9])).message, /no Vhd can be made/)
})

test('a chunk that was damaged on its way is fetched again', async (t) => {
  const { agent, server, image } = await agentWithImage(t)
  const revision = await server.backUp('b1', { path: image })
  const sealed = [...server.chunks.values()].find(({ length }) => length > 1000)
  assert.ok(sealed)
  sealed[500] = (sealed[500] ?? 0) ^ 1
  let replies = 0
  server.interfere = (request) => {
    // After the first reply, which brings the damaged chunk, it is mended.
    if (request.url?.includes('?from=') && replies++ === 1) sealed[500] = (sealed[500] ?? 0) ^ 1
    return false
  }
  const [file = ''] = filesOf(await server.restore('r1', agent.target, 'Vhdx', [revision]))
  assert.ok((await volumeIn(file)).equals(readFileSync(image)))
})

for (const [what, damage] of [
  ['a flipped bit', (sealed: Buffer) => sealed.fill((sealed[500] ?? 0) ^ 1, 500, 501)],
  ['the seal of another chunk', (sealed: Buffer, other: Buffer) => other.copy(sealed)],
] as const) {
  test(`${what} in the vault ends a restore, and leaves nothing behind`, async (t) => {
    const { agent, server, image } = await agentWithImage(t)
    const revision = await server.backUp('b1', { path: image })
    const [first, second] = [...server.chunks.values()].filter(({ length }) => length > mebibyte)
    assert.ok(first && second)
    damage(first, second)
    const failure = failureOf(await server.restore('r1', agent.target, 'Vhdx', [revision]))
    assert.equal(failure.code, 'DataDamaged')
    assert.deepEqual(readdirSync(agent.target), [])
    assert.deepEqual(readdirSync(join(agent.stateDirectory, 'work')), [])
  })
}

test('a chunk that was sealed under the id of another content never gets into a finished disk', async (t) => {
  const { agent, server, image } = await agentWithImage(t)
  const revision = await server.backUp('b1', { path: image })
  const [id] = [...server.chunks].find(([, { length }]) => length > mebibyte) ?? assert.fail()
  server.chunks.set(id, Buffer.from(sealChunk(Buffer.from(id, 'hex'), randomBytes(mebibyte), server.keys)))
  const failure = failureOf(await server.restore('r1', agent.target, 'Vhdx', [revision]))
  assert.equal(failure.code, 'VerificationFailed')
  assert.deepEqual(readdirSync(agent.target), [])
})

test('a server that cannot read a chunk ends the restore, not the agent', async (t) => {
  const { agent, server, image } = await agentWithImage(t)
  const revision = await server.backUp('b1', { path: image })
  server.interfere = (request, response) => {
    if (!request.url?.includes('?from=')) return false
    response.writeHead(200, { 'content-length': 1000 })
    response.write('some bytes', () => response.destroy())
    return true
  }
  assert.equal(failureOf(await server.restore('r1', agent.target, 'Vhdx', [revision])).code, 'DataDamaged')
  server.interfere = (request, response) => {
    if (!request.url?.endsWith('presence')) return false
    response.writeHead(409, { 'content-type': 'application/json' }).end('{"errors":["a chunk is missing."]}')
    return true
  }
  const failure = failureOf(await server.restore('r2', agent.target, 'Vhdx', [revision]))
  assert.deepEqual([failure.code, /a chunk is missing/.test(failure.message)], ['DataDamaged', true])
  server.interfere = () => false
  assert.equal((await server.restore('r3', agent.target, 'Vhdx', [revision])).state, 'SUCCESS')
})

/** Fails so many requests of a kind, in every way in which a network and a server can fail. */
function troubles(part: string, count: number): Interference {
  let left = count
  return (request, response) => {
    if (!request.url?.includes(part) || left === 0) return false
    left--
    if (left % 4 === 0) request.socket.destroy()
    else if (left % 4 === 1) response.writeHead(503).end()
    else if (left % 4 === 2) {
      response.writeHead(200, { 'content-length': 100 })
      response.write('cut off', () => response.destroy())
    } else response.writeHead(429).end('slower')
    return true
  }
}

for (const part of ['keys', 'missing', 'chunks', 'commit', 'presence', '?from=']) {
  test(`trouble with "${part}" passes`, async (t) => {
    const { agent, server, image } = await agentWithImage(t)
    server.interfere = troubles(part, 4)
    const revision = await server.backUp('b1', { path: image })
    server.interfere = troubles(part, 4)
    const [file = ''] = filesOf(await server.restore('r1', agent.target, 'Vhdx', [revision]))
    assert.ok((await volumeIn(file)).equals(readFileSync(image)))
  })
}

test('gives up when the server cannot be reached for too long, and says so when it is back', async (t) => {
  const retryPolicy = { firstMs: 5, largestMs: 20, giveUpAfterMs: 100 }
  const { agent, server, image } = await agentWithImage(t, 5 * mebibyte, { retryPolicy })
  const revision = await server.backUp('b1', { path: image })
  server.interfere = (request, response) => {
    if (!request.url?.includes('?from=')) return false
    response.writeHead(503).end()
    return true
  }
  const failure = failureOf(await server.restore('r1', agent.target, 'Vhdx', [revision]))
  assert.equal(failure.code, 'ServerUnreachable')
  assert.deepEqual(readdirSync(agent.target), [])
})

test('a backup that the restarted server has forgotten begins anew', async (t) => {
  const { server, image } = await agentWithImage(t)
  let forgotten = 0
  server.interfere = (request, response) => {
    const isForgotten = ['missing', 'commit'].some((part) => request.url?.endsWith(part)) && forgotten < 3
    if (!isForgotten) return false
    forgotten++
    request.resume()
    response.writeHead(409).end()
    return true
  }
  assert.equal(await server.backUp('b1', { path: image }), 1)
  assert.equal(forgotten, 3)
})

test('a backup that goes on with another vault is sealed with the keys of that one', async (t) => {
  const { agent, server, image } = await agentWithImage(t)
  let isReplaced = false
  server.interfere = (request, response) => {
    if (isReplaced || !request.url?.endsWith('commit')) return false
    isReplaced = true
    server.replaceVault()
    request.resume()
    response.writeHead(409).end()
    return true
  }
  assert.equal(await server.backUp('b1', { path: image }), 1)
  assert.ok(isReplaced)
  const [file = ''] = filesOf(await server.restore('r1', agent.target, 'Vhdx', [1]))
  assert.ok((await volumeIn(file)).equals(readFileSync(image)))
})

test('a server that goes away in the middle of a backup and comes back gets all of it', async (t) => {
  const { agent, server, image } = await agentWithImage(t)
  const outcome = server.outcomeOf('b1')
  let uploads = 0
  server.interfere = (request) => {
    if (request.url?.endsWith('chunks') && uploads++ === 1) {
      server.stop().then(() => server.resume())
      return true
    }
    return false
  }
  server.start({ type: 'start-backup', id: 'b1', source: { path: image } })
  const ended = await outcome
  assert.equal(ended.state, 'SUCCESS')
  const [file = ''] = filesOf(await server.restore('r1', agent.target, 'Vhdx', [1]))
  assert.ok((await volumeIn(file)).equals(readFileSync(image)))
})

test('a restore that is cancelled removes what it wrote', async (t) => {
  const { agent, server, image } = await agentWithImage(t)
  const revision = await server.backUp('b1', { path: image })
  const arrival = Promise.withResolvers<void>()
  server.interfere = (request) => {
    if (!request.url?.includes('?from=')) return false
    arrival.resolve()
    return true
  }
  const outcome = server.restore('r1', agent.target, 'Vhdx', [revision])
  await arrival.promise
  assert.equal(readdirSync(agent.target).length, 1)
  server.say({ type: 'cancel', task: 'restore', id: 'r1' })
  assert.deepEqual(await outcome, { state: 'CANCELED' })
  assert.deepEqual(readdirSync(agent.target), [])
})

test('a backup can be cancelled, also while it waits for its turn', async (t) => {
  const { server, image } = await agentWithImage(t)
  const arrival = Promise.withResolvers<void>()
  server.interfere = (request) => {
    if (request.url?.endsWith('missing')) arrival.resolve()
    return request.url?.endsWith('missing') ?? false
  }
  const [first, second] = [server.outcomeOf('b1'), server.outcomeOf('b2')]
  for (const id of ['b1', 'b2']) server.start({ type: 'start-backup', id, source: { path: image } })
  await arrival.promise
  server.say({ type: 'cancel', task: 'backup', id: 'b2' })
  assert.deepEqual(await second, { state: 'CANCELED' })
  server.say({ type: 'cancel', task: 'backup', id: 'b1' })
  assert.deepEqual(await first, { state: 'CANCELED' })
  server.interfere = () => false
  assert.equal(await server.backUp('b3', { path: image }), 1)
})

test('cancelling a task that the agent does not know is answered, so that the server can forget it', async (t) => {
  const { server } = await agentWithImage(t, mebibyte)
  const outcome = server.outcomeOf('r1')
  server.say({ type: 'cancel', task: 'restore', id: 'r1' })
  assert.deepEqual(await outcome, { state: 'CANCELED' })
})

test('a restore does not wait for a backup', async (t) => {
  const { agent, server, image } = await agentWithImage(t, 5 * mebibyte)
  const revision = await server.backUp('b1', { path: image })
  const arrival = Promise.withResolvers<void>()
  server.interfere = (request) => {
    if (!request.url?.endsWith('missing')) return false
    arrival.resolve()
    return true
  }
  server.start({ type: 'start-backup', id: 'b2', source: { path: image } })
  await arrival.promise
  assert.equal((await server.restore('r1', agent.target, 'Vhdx', [revision])).state, 'SUCCESS')
})

test('a task that arrives twice is done once', async (t) => {
  const { agent, server, image } = await agentWithImage(t, 5 * mebibyte)
  const revision = await server.backUp('b1', { path: image })
  const outcome = server.outcomeOf('r1')
  const message = server.restoreMessage('r1', agent.target, 'Vhdx', [revision])
  server.start(message)
  server.say(message)
  assert.equal((await outcome).state, 'SUCCESS')
  assert.deepEqual(readdirSync(agent.target), ['disk.vhdx'])
})

test('an outcome is repeated after each reconnection, and for a task that comes again, until it is acknowledged', async (t) => {
  const { agent, server, image } = await agentWithImage(t, 3 * mebibyte)
  server.acknowledges = false
  await server.backUp('b1', { path: image })
  const afterDrop = server.outcomeOf('b1')
  server.dropLink()
  assert.equal((await afterDrop).state, 'SUCCESS')
  const whenAskedAgain = server.outcomeOf('b1')
  server.say({ type: 'start-backup', id: 'b1', source: { path: image } })
  assert.equal((await whenAskedAgain).state, 'SUCCESS')
  await agent.stop()
  const afterRestart = server.outcomeOf('b1')
  server.acknowledges = true
  await agent.start()
  assert.equal((await afterRestart).state, 'SUCCESS')
  assert.equal(server.revisions.size, 1, 'and the backup was made once')
  const journal = join(agent.stateDirectory, 'journal')
  server.say({ type: 'cancel', task: 'backup', id: 'another' })
  await server.outcomeOf('another')
  while (readdirSync(journal).length > 0) await new Promise((resolve) => setImmediate(resolve))
})

test('an outcome that cannot be recorded is repeated as well, until it is acknowledged', async (t) => {
  const { agent, server, image } = await agentWithImage(t)
  const revision = await server.backUp('b1', { path: image })
  const record = join(agent.stateDirectory, 'journal', 'restore-r1.json')
  // It takes the name that the next record of the restore is written under.
  server.interfere = () => {
    if (existsSync(record)) mkdirSync(`${record}.new`, { recursive: true })
    return false
  }
  server.acknowledges = false
  const first = await server.restore('r1', agent.target, 'Vhd', [revision])
  assert.equal(failureOf(first).code, 'InternalError')
  assert.deepEqual(readdirSync(agent.target), [])
  server.acknowledges = true
  const again = server.outcomeOf('r1')
  server.dropLink()
  assert.deepEqual(await again, first)
  while (existsSync(record)) await new Promise((resolve) => setImmediate(resolve))
})

test('an outcome fits through the link, whatever it is about and whenever it was recorded', async (t) => {
  const { agent, server, image } = await agentWithImage(t, mebibyte)
  const revision = await server.backUp('b1', { path: image })
  const path = `/${'b'.repeat(600_000)}`
  const failure = failureOf(await server.restore('r1', path, 'Vhdx', [revision]))
  assert.deepEqual([failure.code, failure.message.length], ['CreateFolderFailed', 1000])
  const journal = join(agent.stateDirectory, 'journal')
  while (readdirSync(journal).length > 0) await new Promise((resolve) => setImmediate(resolve))
  await agent.stop()
  const outcome: Outcome = { state: 'ERROR', code: 'SourceUnreadable', message: `no ${path}` }
  const record = { task: 'backup', id: 'b2', state: 'finished', outcome }
  writeFileSync(join(journal, 'backup-b2.json'), JSON.stringify(record))
  const repeated = server.outcomeOf('b2')
  await agent.start()
  assert.equal(failureOf(await repeated).message, outcome.message.slice(0, 1000))
})

test('waits longer each time for a server that takes the link and cuts it', async (t) => {
  const { agent, server } = await agentWithImage(t, mebibyte)
  for (let cut = 0; cut < 3; cut++) {
    const hello = server.messageOf(({ type }) => type === 'hello')
    server.dropLink()
    await hello
  }
  const [first = 0, second = 0, third = 0] = agent.log.flatMap((line) => JSON.parse(line).delayMs ?? [])
  assert.ok(0 < first && first < second && second < third && third > 1000, `${[first, second, third]}`)
})

test('stops within a moment, cleans up, and does the rest when it is started again', async (t) => {
  const { agent, server, image } = await agentWithImage(t)
  const revision = await server.backUp('b1', { path: image })
  const arrival = Promise.withResolvers<void>()
  server.interfere = (request) => {
    if (!request.url?.includes('?from=')) return false
    arrival.resolve()
    return true
  }
  server.start(server.restoreMessage('r1', agent.target, 'Vhdx', [revision]))
  await arrival.promise
  await agent.stop()
  assert.deepEqual(readdirSync(agent.target), [])
  assert.ok(!server.messages.some(isFinished('r1')))
  server.interfere = () => false
  const outcome = server.outcomeOf('r1')
  await agent.start()
  const [file = ''] = filesOf(await outcome)
  assert.ok((await volumeIn(file)).equals(readFileSync(image)))
})

test('names what it is running when the link was lost, and goes on with it', async (t) => {
  const { agent, server, image } = await agentWithImage(t)
  const revision = await server.backUp('b1', { path: image })
  const gate = Promise.withResolvers<void>()
  const arrival = Promise.withResolvers<void>()
  server.interfere = async (request) => {
    if (!request.url?.includes('?from=')) return false
    arrival.resolve()
    await gate.promise
    return false
  }
  const outcome = server.restore('r1', agent.target, 'Vhdx', [revision])
  await arrival.promise
  const hello = server.messageOf(({ type }) => type === 'hello')
  server.dropLink()
  const greeting = await hello
  assert.deepEqual(greeting.type === 'hello' && greeting.running, [{ task: 'restore', id: 'r1' }])
  gate.resolve()
  assert.equal((await outcome).state, 'SUCCESS')
  assert.deepEqual(readdirSync(agent.target), ['disk.vhdx'])
})

test('enrols again when the server no longer knows its credential', async (t) => {
  const { agent, server, image } = await agentWithImage(t, mebibyte)
  assert.equal(server.requestCounts.get('enrol'), 1)
  await agent.stop()
  await agent.start()
  assert.equal(server.requestCounts.get('enrol'), 1, 'the credential was kept')
  const hello = server.messageOf(({ type }) => type === 'hello')
  server.forgetCredentials()
  await hello
  assert.equal(server.requestCounts.get('enrol'), 2)
  assert.equal(await server.backUp('b1', { path: image }), 1)
})

test('keeps its credential while another server answers at the address, and needs no key when its own is back', async (t) => {
  const { agent, server } = await agentWithImage(t, mebibyte)
  await agent.stop()
  await server.stop()
  const other = await ProtocolServer.start(undefined, Number(new URL(server.url).port))
  const connected = agent.start({ enrolmentKey: undefined })
  try {
    await eventually('a refusal', () =>
      agent.log.some((line) => line.includes('no longer accepts the credential')),
    )
  } finally {
    await other.stop()
  }
  await server.resume()
  await connected
  assert.equal(server.requestCounts.get('enrol'), 1)
})

test('comes back by itself from another server at the address, which refuses credential and key', async (t) => {
  const { agent, server } = await agentWithImage(t, mebibyte)
  await server.stop()
  const other = await ProtocolServer.start(undefined, Number(new URL(server.url).port))
  // Any other key than the agent's.
  other.interfere = (request, response) => {
    if (request.url?.endsWith('/enrol')) response.writeHead(401).end()
    return request.url?.endsWith('/enrol') === true
  }
  try {
    await eventually('a refused key', () =>
      agent.log.some((line) => line.includes('does not enrol this computer either')),
    )
  } finally {
    await other.stop()
  }
  const connected = server.messageOf(({ type }) => type === 'hello')
  await server.resume()
  await connected
  assert.equal(server.requestCounts.get('enrol'), 1, 'it needs no other credential')
})

test('cannot go on with a wrong key, or without one', async (t) => {
  const { agent } = await agentWithImage(t, mebibyte)
  for (const enrolmentKey of ['wrong', undefined]) {
    const refused = TestAgent.start(t, { enrolmentKey, stateDirectory: join(agent.directory, 'other-state') })
    await assert.rejects(refused, { name: 'AgentRefused' })
  }
})

test('tells at its start of an image that is not there, and goes on', async (t) => {
  const missing = '/nowhere/missing.raw'
  const volumes = { images: [missing], include: [], exclude: [] }
  const agent = await TestAgent.start(t, { backup: { volumes } })
  const line = agent.log.find((text) => text.includes('"an image that may be read is not there"'))
  assert.equal(JSON.parse(line ?? '{}').image, missing)
})

test('never writes a secret into its log', async (t) => {
  const { agent, server, image } = await agentWithImage(t, 3 * mebibyte)
  await server.backUp('b1', { path: image })
  const credential = JSON.parse(
    readFileSync(join(agent.stateDirectory, 'credential.json'), 'utf8'),
  ).credential
  const secrets = [server.enrolmentKey, credential, Buffer.from(server.keys.sealing).toString('base64')]
  const log = agent.log.join('')
  assert.match(log, /"msg":"connected"/)
  for (const secret of secrets) assert.ok(!log.includes(secret))
})

test('ignores a task whose id could lead anywhere, and messages that it does not know', async (t) => {
  const { agent, server, image } = await agentWithImage(t, mebibyte)
  server.say({ type: 'start-backup', id: '../../x', source: { path: image } })
  server.say({ type: 'acknowledge', task: 'restore', id: 'never-heard-of' })
  assert.equal(await server.backUp('b1', { path: image }), 1)
  assert.ok(agent.log.some((line) => line.includes('with an invalid id')))
})

test('the image is left as it was', async (t) => {
  const { server, image } = await agentWithImage(t)
  const before = sha256Of(image)
  await server.backUp('b1', { path: image })
  assert.equal(sha256Of(image), before)
})

test('what lies between the holes of an image comes back at its place, and nothing else is stored', async (t) => {
  const agent = await TestAgent.start(t)
  const image = join(agent.directory, 'image.raw')
  const sizeBytes = 4 * 1024 * mebibyte + 512 * 7
  writeFileSync(image, '')
  truncateSync(image, sizeBytes)
  const file = openSync(image, 'r+')
  const places = [3 * mebibyte + 512, 1000 * mebibyte - 100, sizeBytes - 900]
  const contents = places.map(() => randomBytes(900))
  for (const [index, place] of places.entries())
    writeSync(file, contents[index] ?? Buffer.alloc(0), 0, 900, place)
  closeSync(file)
  const revision = await agent.server.backUp('b1', { path: image })
  const outcome = await agent.server.restore('r1', agent.target, 'Vhdx', [revision])
  const [disk = ''] = filesOf(outcome)
  const source = await openFile(disk)
  const restored = await openDisk(source)
  const { partitions } = await readPartitionTable(restored)
  const { offsetBytes = 0 } = partitions[0] ?? {}
  for (const [index, place] of places.entries()) {
    assert.ok(
      (await readBytes(restored, offsetBytes + place, 900)).equals(contents[index] ?? Buffer.alloc(0)),
    )
  }
  await source.close()
  assert.equal(agent.server.chunks.size, 4, 'one piece lies in two chunks')
})
