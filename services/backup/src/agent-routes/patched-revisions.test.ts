import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import {
  agentPaths,
  idSizeBytes,
  patchedChunksMax,
  patchedEntrySizeBytes,
  readPatchedFrame,
} from '@palisade/agent-protocol'
import { openStore, type Store } from '@palisade/platform'
import { TestService } from '../testing/backup-service.ts'
import { FakeAgent, someVolume, vaultChunkSizeBytes } from '../testing/fake-agent.ts'
import { openFrame } from '../testing/open-frame.ts'
import {
  backUpPatched,
  changedIn,
  commitPatched,
  type PatchedUpload,
  uploadPatched,
} from '../testing/patched-chunks.ts'

const chunkCount = 40
/** Neighbours, the first and the last whole chunk among them. */
const patched = [0, 1, 2, 7, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 30, chunkCount - 2]
let directory = ''
let store: Store
let service: TestService
let agent: FakeAgent
let first: Buffer
let content: Buffer
let revisionId = 0

before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'palisade-store-'))
  store = openStore('embedded', directory)
  service = await TestService.start(store)
  agent = await (await FakeAgent.enrol(service.served.baseUrl)).connect()
  first = Buffer.alloc((chunkCount - 1) * vaultChunkSizeBytes + 4096)
  for (let at = 0, state = 1; at < first.length; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    first.writeUInt32LE(state, at)
  }
  // Some are zeros, patched ones beside them.
  for (const position of [3, 4, 29])
    first.fill(0, position * vaultChunkSizeBytes, (position + 1) * vaultChunkSizeBytes)
  content = changedIn(first, vaultChunkSizeBytes, patched)
  const volume = { ...someVolume, capacityBytes: first.length }
  await agent.backUp(await begin(), first, volume)
  revisionId = await backUpPatched(agent, await begin(), first, content, volume)
})
after(async () => {
  await agent.disconnect()
  await service.close()
  await store.close()
  rmSync(directory, { recursive: true })
})

/** Each of a source of its own, since tests leave backups unfinished and a source takes two of them. */
let backups = 0
const begin = async (): Promise<string> => {
  backups++
  const { json } = await service.computer('POST', '/backups', { source: { path: `/x/${backups}` } })
  return json.data.id
}

async function startRestore(revision = revisionId): Promise<string> {
  const reply = await service.restoreDisks({
    destination: { path: '/x' },
    diskFormat: 'Vhdx',
    revisions: [revision],
  })
  return String(reply.headers['x-restore-id'])
}

test('any range of a patched revision has its chunks, each once and as it was, the patched ones in two parts', async () => {
  const id = await startRestore()
  await agent.download(id, revisionId, content)
  const { keys, chunkSizeBytes } = await agent.keys()
  const ranges = [
    [0, 1],
    [0, 2],
    [2, 5],
    [3, 5],
    [12, 23],
    [14, 15],
    [29, 31],
    [chunkCount - 1, chunkCount],
    [5, 5],
  ]
  for (let turn = 0; turn < 20; turn++) {
    const from = randomInt(chunkCount)
    ranges.push([from, randomInt(from, chunkCount + 1)])
  }
  for (const [from = 0, to = 0] of ranges) {
    const frames = await agent.chunks(id, revisionId, from, to)
    const positions = Array.from({ length: to - from }, (_none, index) => from + index)
    assert.deepEqual(
      frames.map(({ index }) => index).sort((one, other) => one - other),
      positions.filter((position) => ![3, 4, 29].includes(position)),
    )
    for (const frame of frames) {
      const start = frame.index * chunkSizeBytes
      assert.ok(
        openFrame(frame, keys, chunkSizeBytes).equals(content.subarray(start, start + chunkSizeBytes)),
      )
      assert.equal(readPatchedFrame(frame.sealed) !== undefined, patched.includes(frame.index))
    }
  }
  await agent.finish('restore', id, { state: 'CANCELED' })
})

test('the ids of a patched revision are the names of what it holds', async () => {
  const reply = await agent.request('GET', `${agentPaths.revisionIds(revisionId)}?from=0&to=${chunkCount}`)
  assert.equal(reply.status, 200)
  const ids = Buffer.from(await reply.arrayBuffer())
  const { ids: whole } = await agent.upload(await begin(), content)
  assert.deepEqual(ids, whole)
  const some = await agent.request('GET', `${agentPaths.revisionIds(revisionId)}?from=13&to=18`)
  assert.deepEqual(Buffer.from(await some.arrayBuffer()), ids.subarray(13 * idSizeBytes, 18 * idSizeBytes))
})

test('a patched revision comes whole after that of its bases was deleted', async () => {
  const other = changedIn(first, vaultChunkSizeBytes, [5])
  const now = changedIn(other, vaultChunkSizeBytes, [8, 9])
  const volume = { ...someVolume, deviceId: 'deleted', capacityBytes: first.length }
  const base = await agent.backUp(await begin(), other, volume)
  const revision = await backUpPatched(agent, await begin(), other, now, volume)
  assert.equal((await service.computer('DELETE', `/revisions/${base}`)).status, 204)
  await service.pass(2 * 86_400_000)
  const id = await startRestore(revision)
  await agent.download(id, revision, now)
  await agent.finish('restore', id, { state: 'CANCELED' })
})

/** Commits that make no sense, each with what the sentence has to say. */
const refusals: Record<
  string,
  { commit: (uploaded: PatchedUpload) => [PatchedUpload, object?]; says: RegExp }
> = {
  'a table that is cut off': {
    commit: ({ ids, table }) => [
      { ids, table: table.subarray(0, -1) },
      { patchedCount: table.length / patchedEntrySizeBytes },
    ],
    says: /ends too early/,
  },
  'an entry less': {
    commit: ({ ids, table }) => [
      { ids, table: table.subarray(patchedEntrySizeBytes) },
      { patchedCount: table.length / patchedEntrySizeBytes },
    ],
    says: /ends too early/,
  },
  'an entry more': {
    commit: ({ ids, table }) => [{ ids, table }, { patchedCount: table.length / patchedEntrySizeBytes - 1 }],
    says: /more ids than chunks/,
  },
  'a table that its head says nothing of': {
    commit: (uploaded) => [uploaded, { patchedCount: undefined }],
    says: /more ids than chunks/,
  },
  'positions that are not in order': {
    commit: ({ ids, table }) => {
      const entries = [table.subarray(patchedEntrySizeBytes), table.subarray(0, patchedEntrySizeBytes)]
      return [{ ids, table: Buffer.concat(entries) }]
    },
    says: /not in order/,
  },
  'a position twice': {
    commit: ({ ids, table }) => {
      const twice = Buffer.from(table)
      twice.copyWithin(patchedEntrySizeBytes, 0, patchedEntrySizeBytes)
      return [{ ids, table: twice }]
    },
    says: /not in order/,
  },
  'a position beyond the volume': {
    commit: ({ ids, table }) => [{ ids, table: withPosition(table, 3, chunkCount) }],
    says: /beyond the volume/,
  },
  'a patched chunk of zeros': {
    commit: ({ ids, table }) => [{ ids, table: withPosition(table, 0, 3) }],
    says: /zeros/,
  },
  'a base of zeros': {
    commit: ({ ids, table }) => [{ ids, table: Buffer.from(table).fill(0, 4, 36) }],
    says: /zeros/,
  },
  'a patch of zeros': {
    commit: ({ ids, table }) => [{ ids, table: Buffer.from(table).fill(0, 36, 68) }],
    says: /zeros/,
  },
  'more patched chunks than chunks': {
    commit: ({ ids, table }) => [{ ids, table }, { patchedCount: chunkCount + 1 }],
    says: /more patched chunks than chunks/,
  },
  'more patched chunks than a revision may have': {
    commit: ({ ids, table }) => [{ ids, table }, { patchedCount: patchedChunksMax + 1 }],
    says: /missing or invalid members/,
  },
  'less than none of them': {
    commit: ({ ids, table }) => [{ ids, table }, { patchedCount: -1 }],
    says: /missing or invalid members/,
  },
  'half of one': {
    commit: ({ ids, table }) => [{ ids, table }, { patchedCount: 0.5 }],
    says: /missing or invalid members/,
  },
}

function withPosition(table: Buffer, entry: number, position: number): Buffer {
  const copy = Buffer.from(table)
  copy.writeUInt32LE(position, entry * patchedEntrySizeBytes)
  return copy
}

test('commits with tables that make no sense are refused with a sentence, and leave the backup as it was', async () => {
  const backupId = await begin()
  const now = changedIn(content, vaultChunkSizeBytes, [2, 5, 6, 8])
  const volume = { ...someVolume, capacityBytes: now.length }
  await agent.upload(backupId, content)
  const uploaded = await uploadPatched(agent, backupId, content, now)
  assert.equal(uploaded.table.length, 4 * patchedEntrySizeBytes)
  for (const [what, { commit, says }] of Object.entries(refusals)) {
    const [wrong, more] = commit(uploaded)
    const reply = await commitPatched(agent, backupId, wrong, volume, more)
    const text = await reply.text()
    assert.equal(reply.status, 400, `${what}: ${text}`)
    const [sentence, ...others] = JSON.parse(text).errors
    assert.match(sentence, says, what)
    assert.deepEqual(others, [])
  }
  for (const place of [4, 36]) {
    const table = Buffer.from(uploaded.table).fill(0xab, place, place + idSizeBytes)
    const reply = await commitPatched(agent, backupId, { ...uploaded, table }, volume)
    assert.equal(reply.status, 409, 'what was never uploaded')
  }
  assert.equal((await commitPatched(agent, backupId, uploaded, volume)).status, 200)
})

test("another computer's chunks are neither a base nor a patch", async () => {
  const prober = await FakeAgent.enrol(service.served.baseUrl, {
    computer: '0002',
    enrolmentKey: 'enrol-two',
  })
  await prober.connect()
  const path = '/v2/accounts/acme/computers/0002'
  const backupId = (await service.call('POST', `${path}/backups`, { source: { path: '/x' } })).json.data.id
  const volume = { ...someVolume, capacityBytes: content.length }
  const own = await uploadPatched(prober, backupId, first, content)
  const foreign = await uploadPatched(agent, await begin(), first, content)
  for (const place of [4, 4 + idSizeBytes]) {
    const table = Buffer.from(own.table)
    foreign.table.copy(table, place, place, place + idSizeBytes)
    const reply = await commitPatched(prober, backupId, { ...own, table }, volume)
    assert.equal(reply.status, 409)
  }
  assert.deepEqual((await service.call('GET', `${path}/revisions`)).json, [])
  assert.equal((await commitPatched(prober, backupId, own, volume)).status, 200)
  await prober.disconnect()
})

test('a pack that is damaged on the disk ends the download of what is patched over it, with a sentence where there can be one', async () => {
  const volume = { ...someVolume, deviceId: 'damaged', capacityBytes: first.length }
  const before = Buffer.from(first.toReversed())
  const now = changedIn(before, vaultChunkSizeBytes, [20, 36])
  await agent.backUp(await begin(), before, volume)
  const revision = await backUpPatched(agent, await begin(), before, now, volume)
  const vault = join(service.dataDirectory, 'vault')
  for (const name of readdirSync(vault, { recursive: true, encoding: 'utf8' })) {
    const file = join(vault, name)
    if (/packs\/[0-9a-f]{32}$/.test(name) && readFileSync(file).length > 12 * 2 ** 20)
      truncateSync(file, 12 * 2 ** 20)
  }
  const id = await startRestore(revision)
  const reply = await agent.request('GET', `${agentPaths.revisionChunks(id, revision)}?from=36&to=37`)
  assert.equal(reply.status, 409)
  assert.match(await reply.text(), /is too short/)
  assert.equal((await agent.chunks(id, revision, 20, 21)).length, 1, 'the others are there')
  await agent.finish('restore', id, { state: 'CANCELED' })
  service.loggedErrors.splice(0)
})
