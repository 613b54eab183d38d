import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameChunk } from '../chunk/chunk-id.ts'
import { ChunkList } from '../chunk/chunk-list.ts'
import { sealChunk } from '../chunk/sealed-chunk.ts'
import { isVaultFailure } from '../failure.ts'
import { MemoryBackend } from '../storage/memory-backend.ts'
import { FaultyBackend } from '../testing/faulty-backend.ts'
import { noise } from '../testing/noise.ts'
import { addVolume, backUp, restore, restoreFrom } from '../testing/volume.ts'
import { createVault, openVault } from './open-vault.ts'
import type { Vault } from './vault.ts'

const key = { bytes: noise('key', 32) }
const domain = 'acme/0001'
const chunkSizeBytes = 4096
const packSizeBytes = 16_000
/** What a collection reports that has nothing to do. */
const untouched = {
  packsDeleted: 0,
  packsWritten: 0,
  bytesFreed: 0,
  packsDamaged: 0,
  revisionsUnread: [],
  revisionsIncomplete: [],
  packsMissing: [],
}

function newVault(backend = new MemoryBackend(), nowMs = () => 0): Promise<Vault> {
  return createVault({ backend, key, chunkSizeBytes, packSizeBytes, nowMs })
}

/** A volume of noise: nothing of it is shared with one of another seed, and all of it needs space. */
const volumeOf = (seed: string) => noise(seed, 20 * chunkSizeBytes)
/** Two volumes, chunk by chunk in turns. */
const mixtureOf = (a: string, b: string) =>
  Buffer.concat(
    Array.from({ length: 20 }, (_, chunk) => {
      const start = chunk * chunkSizeBytes
      return volumeOf(chunk % 4 === 0 ? a : b).subarray(start, start + chunkSizeBytes)
    }),
  )

test('removes everything when the last revision is gone', async () => {
  const memory = new MemoryBackend()
  const vault = await newVault(memory)
  await backUp(vault, domain, '1', volumeOf('a'))
  const stored = (await vault.usage(domain)).storedBytes
  assert.deepEqual(await vault.collect(), untouched)
  await vault.deleteRevision(domain, '1')
  const report = await vault.collect()
  assert.equal(report.bytesFreed, stored)
  assert.deepEqual(await vault.usage(domain), { packs: 0, chunks: 0, storedBytes: 0 })
  assert.deepEqual(
    (await memory.list('')).filter((name) => name.includes('/packs/')),
    [],
  )
})

test('keeps what other revisions share, and rewrites packs that are mostly dead', async () => {
  const memory = new MemoryBackend()
  const vault = await newVault(memory)
  await backUp(vault, domain, '1', volumeOf('a'))
  await backUp(vault, domain, '2', mixtureOf('a', 'b'))
  const before = await vault.usage(domain)
  await vault.deleteRevision(domain, '1')
  const report = await vault.collect()
  const after = await vault.usage(domain)
  assert.ok(report.packsDeleted > report.packsWritten && report.packsWritten > 0)
  assert.equal(before.storedBytes - after.storedBytes, report.bytesFreed)
  assert.equal(after.chunks, 20)
  assert.ok((await restore(vault, domain, '2')).equals(mixtureOf('a', 'b')))
  assert.deepEqual(await vault.check({ readData: true }), [])
  await vault.close()
  const reopened = await openVault({ backend: memory, key })
  assert.ok((await restore(reopened, domain, '2')).equals(mixtureOf('a', 'b')))
})

test('leaves packs alone of which enough lives, or that are too young', async () => {
  let nowMs = 1_000_000
  const vault = await newVault(new MemoryBackend(), () => nowMs)
  await backUp(vault, domain, '1', volumeOf('a'))
  await backUp(vault, domain, '2', mixtureOf('a', 'b'))
  await vault.deleteRevision(domain, '1')
  assert.deepEqual(await vault.collect({ liveFractionMin: 0.1 }), untouched)
  nowMs += 59_999
  assert.deepEqual(await vault.collect({ graceMs: 60_000 }), untouched)
  nowMs += 1
  assert.ok((await vault.collect({ graceMs: 60_000 })).packsDeleted > 0)
})

test('frees what it can of every domain, though there is no room for copies', async () => {
  const domains = ['acme/0001', 'acme/0002']
  let full = false
  const backend = new FaultyBackend(new MemoryBackend(), (operation) =>
    full && !operation.startsWith('delete') ? 'refused' : 'done',
  )
  const vault = await createVault({ backend, key, chunkSizeBytes, packSizeBytes, nowMs: () => 0 })
  for (const name of domains) {
    await backUp(vault, name, 'shared', volumeOf('a'))
    await backUp(vault, name, 'kept', mixtureOf('a', 'b'))
    await backUp(vault, name, 'gone', volumeOf('c'))
    for (const revision of ['shared', 'gone']) await vault.deleteRevision(name, revision)
  }
  const packsOf = async () =>
    (await Promise.all(domains.map((name) => vault.usage(name)))).map(({ packs }) => packs)
  const before = await packsOf()
  full = true
  await assert.rejects(vault.collect(), (error) => isVaultFailure(error, 'storage'))
  const during = await packsOf()
  assert.ok(
    during.every((packs, index) => packs < (before[index] ?? 0)),
    `${before} ${during}`,
  )
  full = false
  assert.ok((await vault.collect()).packsWritten > 0)
  for (const name of domains) assert.ok((await restore(vault, name, 'kept')).equals(mixtureOf('a', 'b')))
  assert.deepEqual(await vault.check({ readData: true }), [])
})

test('takes packs for old that were made while the clock was ahead', async () => {
  let nowMs = 1e12
  const vault = await newVault(new MemoryBackend(), () => nowMs)
  await backUp(vault, domain, '1', volumeOf('a'))
  await vault.deleteRevision(domain, '1')
  nowMs -= 59_999
  assert.deepEqual(await vault.collect({ graceMs: 60_000 }), untouched)
  nowMs -= 1
  assert.ok((await vault.collect({ graceMs: 60_000 })).packsDeleted > 0)
})

test('keeps chunks that a session was told are stored, though no revision needs them any more', async () => {
  const vault = await newVault()
  await backUp(vault, domain, '1', volumeOf('a'))
  const session = await vault.beginBackup(domain)
  const chunks = await addVolume(vault, session, domain, volumeOf('a'))
  await vault.deleteRevision(domain, '1')
  assert.equal((await vault.collect()).packsDeleted, 0)
  await session.commitRevision({
    revision: '2',
    volume: 'disk',
    capacityBytes: volumeOf('a').length,
    metadata: null,
    chunks,
  })
  assert.equal((await vault.collect()).packsDeleted, 0)
  assert.ok((await restore(vault, domain, '2')).equals(volumeOf('a')))
})

test('lets go of what a session was told when the session ends', async () => {
  const vault = await newVault()
  const session = await vault.beginBackup(domain)
  await addVolume(vault, session, domain, volumeOf('a'))
  await session.flush()
  assert.equal((await vault.collect()).packsDeleted, 0)
  await session.abort()
  assert.ok((await vault.collect()).packsDeleted > 0)
  assert.equal((await vault.usage(domain)).chunks, 0)
})

test('keeps the chunks of an open reader, though its revision is deleted', async () => {
  const vault = await newVault()
  await backUp(vault, domain, '1', volumeOf('a'))
  await backUp(vault, domain, '2', mixtureOf('a', 'b'))
  const [first, second] = await Promise.all(
    ['1', '2'].map((revision) => vault.openRevision(domain, revision)),
  )
  assert.ok(first && second)
  const plannedBefore = first.runs(0, 20)
  await vault.deleteRevision(domain, '1')
  await vault.deleteRevision(domain, '2')
  await vault.collect({ liveFractionMin: 1 })
  for (const run of plannedBefore) await first.read(run)
  assert.ok((await restoreFrom(vault, domain, first)).equals(volumeOf('a')))
  assert.ok((await restoreFrom(vault, domain, second)).equals(mixtureOf('a', 'b')))
  first.close()
  second.close()
  await vault.collect()
  assert.equal((await vault.usage(domain)).chunks, 0)
})

test('spares a revision that is committed while the collection is already reading revisions', async () => {
  const memory = new MemoryBackend()
  let atFirstDelete: (() => Promise<void>) | undefined
  const backend = new (class extends FaultyBackend {
    override async delete(name: string): Promise<void> {
      const act = atFirstDelete
      atFirstDelete = undefined
      await act?.()
      await super.delete(name)
    }
  })(memory, () => 'done')
  const vault = await createVault({ backend, key, chunkSizeBytes, packSizeBytes })
  await backUp(vault, domain, '1', volumeOf('a'))
  await backUp(vault, domain, '2', volumeOf('b'))
  await vault.deleteRevision(domain, '1')
  await vault.deleteRevision(domain, '2')
  // The marking is over; the first pack is about to go. A backup now finds most of both volumes still there.
  atFirstDelete = async () => {
    await backUp(vault, domain, '3', volumeOf('a'))
    await backUp(vault, domain, '4', volumeOf('b'))
  }
  await vault.collect()
  assert.ok((await restore(vault, domain, '3')).equals(volumeOf('a')))
  assert.ok((await restore(vault, domain, '4')).equals(volumeOf('b')))
  assert.deepEqual(await vault.check({ readData: true }), [])
})

test('keeps its word to a session that was told of chunks while they were being copied', async () => {
  let atNextCommit: (() => Promise<void>) | undefined
  const backend = new (class extends FaultyBackend {
    override async create(name: string) {
      const writer = await super.create(name)
      const commit = async () => {
        await atNextCommit?.()
        await writer.commit()
      }
      return { write: writer.write.bind(writer), abort: writer.abort.bind(writer), commit }
    }
  })(new MemoryBackend(), () => 'done')
  const vault = await createVault({ backend, key, chunkSizeBytes, packSizeBytes })
  const volume = mixtureOf('a', 'b')
  await backUp(vault, domain, '1', volumeOf('a'))
  await backUp(vault, domain, '2', volume)
  await vault.deleteRevision(domain, '1')
  const session = await vault.beginBackup(domain)
  let chunks: ChunkList | undefined
  atNextCommit = async () => {
    atNextCommit = undefined
    chunks = await addVolume(vault, session, domain, volume)
  }
  await vault.collect()
  await vault.deleteRevision(domain, '2')
  await vault.collect()
  assert.ok(chunks)
  await session.commitRevision({
    revision: '3',
    volume: 'disk',
    capacityBytes: volume.length,
    metadata: null,
    chunks,
  })
  assert.ok((await restore(vault, domain, '3')).equals(volume))
})

test('removes nothing of a domain while a revision of it cannot be read, and collects the others', async () => {
  const memory = new MemoryBackend()
  const vault = await newVault(memory)
  for (const name of [domain, 'acme/0002']) {
    await backUp(vault, name, '1', volumeOf('a'))
    await backUp(vault, name, '2', volumeOf('b'))
    await vault.deleteRevision(name, '1')
  }
  const objects = (await memory.list('')).filter((object) => object.endsWith('/revisions/2'))
  await memory.put(objects[0] ?? '', Buffer.alloc(100))
  const [damaged = '', sound = ''] = await vault.domains()
  const before = await vault.usage(damaged)
  const report = await vault.collect()
  assert.deepEqual(report.revisionsUnread, [{ domain: damaged, revision: '2' }])
  assert.deepEqual(await vault.usage(damaged), before)
  assert.equal((await vault.usage(sound)).chunks, 20)
  await vault.deleteRevision(damaged, '2')
  assert.deepEqual((await vault.collect()).revisionsUnread, [])
  assert.equal((await vault.usage(damaged)).chunks, 0)
})

test('misses no revision that is deleted while it is read, or whose deletion had begun before', async () => {
  const memory = new MemoryBackend()
  const vault = await newVault(memory)
  for (const revision of ['1', '2']) await backUp(vault, domain, revision, volumeOf(revision))
  const [read, remove] = [memory.read.bind(memory), memory.delete.bind(memory)]
  const deletionMayGoOn = Promise.withResolvers<void>()
  memory.delete = async (name) => {
    if (name.endsWith('/revisions/1')) await deletionMayGoOn.promise
    return remove(name)
  }
  memory.read = async (name, offsetBytes, into) => {
    await read(name, offsetBytes, into)
    if (name.endsWith('/revisions/2')) await vault.deleteRevision(domain, '2')
  }
  const deletion = vault.deleteRevision(domain, '1')
  await vault.collect()
  deletionMayGoOn.resolve()
  await deletion
  assert.deepEqual((await vault.collect()).revisionsUnread, [])
  assert.equal((await vault.usage(domain)).chunks, 0)
})

test('does not copy damaged chunks into a new pack', async () => {
  const memory = new MemoryBackend()
  const vault = await newVault(memory)
  await backUp(vault, domain, '1', volumeOf('a'))
  await backUp(vault, domain, '2', mixtureOf('a', 'b'))
  await vault.deleteRevision(domain, '1')
  const reader = await vault.openRevision(domain, '2')
  const run = reader.runs([0])[0]
  assert.ok(run)
  const content = Buffer.alloc((await memory.sizeBytes(run.object)) ?? 0)
  await memory.read(run.object, 0, content)
  content[run.offset + 100] = (content[run.offset + 100] ?? 0) ^ 1
  await memory.put(run.object, content)
  reader.close()
  const report = await vault.collect()
  assert.equal(report.packsDamaged, 1)
  assert.notEqual(await memory.sizeBytes(run.object), undefined)
})

test('collects one domain without looking at others', async () => {
  const vault = await newVault()
  const lists: ChunkList[] = []
  for (const name of ['one', 'two']) {
    const session = await vault.beginBackup(name)
    lists.push(await addVolume(vault, session, name, volumeOf('a')))
    await session.abort()
  }
  assert.equal(lists.length, 2)
  await vault.collect({ domain: 'one' })
  assert.equal((await vault.usage('one')).chunks, 0)
  assert.equal((await vault.usage('two')).chunks, 20)
})

test('leaves packs alone in which everything lives, however small their chunks are', async () => {
  const vault = await newVault()
  const session = await vault.beginBackup(domain)
  const keys = vault.chunkKeys(domain)
  const plaintexts = Array.from({ length: 50 }, (_, index) => Buffer.alloc(chunkSizeBytes, index + 1))
  const chunks = ChunkList.of(...plaintexts.map((plaintext) => nameChunk(plaintext, keys.naming)))
  for (const [index, plaintext] of plaintexts.entries()) {
    await session.add(chunks.id(index), sealChunk(chunks.id(index), plaintext, keys))
  }
  const capacityBytes = plaintexts.length * chunkSizeBytes
  await session.commitRevision({ revision: '1', volume: 'disk', capacityBytes, metadata: null, chunks })
  assert.deepEqual(await vault.collect({ liveFractionMin: 1 }), untouched)
})
