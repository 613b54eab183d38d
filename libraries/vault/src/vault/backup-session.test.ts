import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameChunk } from '../chunk/chunk-id.ts'
import { ChunkList } from '../chunk/chunk-list.ts'
import { sealChunk } from '../chunk/sealed-chunk.ts'
import { isVaultFailure, type VaultFailureCode } from '../failure.ts'
import type { StorageBackend } from '../storage/backend.ts'
import { MemoryBackend } from '../storage/memory-backend.ts'
import { FaultyBackend } from '../testing/faulty-backend.ts'
import { noise } from '../testing/noise.ts'
import { addVolume, backUp, exampleVolume, restore } from '../testing/volume.ts'
import { createVault, openVault } from './open-vault.ts'
import type { Vault } from './vault.ts'

const key = { bytes: noise('key', 32) }
const domain = 'acme/0001'
const chunkSizeBytes = 4096
const packSizeBytes = 16_000
const failsWith = (code: VaultFailureCode) => (error: unknown) => isVaultFailure(error, code)

function newVault(backend: StorageBackend = new MemoryBackend()): Promise<Vault> {
  return createVault({ backend, key, chunkSizeBytes, packSizeBytes })
}

function sealedNoise(vault: Vault, seed: string): { id: Buffer; sealed: Uint8Array } {
  const keys = vault.chunkKeys(domain)
  const id = nameChunk(noise(seed, chunkSizeBytes), keys.naming)
  return { id, sealed: sealChunk(id, noise(seed, chunkSizeBytes), keys) }
}

function revisionOf(chunks: ChunkList, revision = '1') {
  return { revision, volume: 'disk', capacityBytes: chunks.length * chunkSizeBytes, metadata: null, chunks }
}

test('asks only for chunks that are not stored yet, and stores what is added twice once', async () => {
  const vault = await newVault()
  const [first, second] = await Promise.all([vault.beginBackup(domain), vault.beginBackup(domain)])
  const a = sealedNoise(vault, 'a')
  const b = sealedNoise(vault, 'b')
  const ids = ChunkList.of(a.id, Buffer.alloc(32), b.id, a.id)
  assert.deepEqual(first.missing(ids), [0, 2, 3])
  await Promise.all([first.add(a.id, a.sealed), second.add(a.id, a.sealed), first.add(a.id, a.sealed)])
  assert.deepEqual(second.missing(ids), [2])
  await first.flush()
  assert.equal((await vault.usage(domain)).chunks, 1)
  await first.abort()
  await second.abort()
})

test('tells what is durable from what is only added', async () => {
  const vault = await newVault()
  const session = await vault.beginBackup(domain)
  const a = sealedNoise(vault, 'a')
  const ids = ChunkList.of(a.id, sealedNoise(vault, 'b').id)
  await session.add(a.id, a.sealed)
  assert.deepEqual(session.missing(ids), [1])
  assert.deepEqual(session.notDurable(ids), [0, 1])
  await session.flush()
  assert.deepEqual(session.notDurable(ids), [1])
})

test('lets two sessions of one domain commit side by side', async () => {
  const vault = await newVault()
  const volumes = ['x', 'y'].map((seed) =>
    Buffer.concat([
      exampleVolume('shared', chunkSizeBytes, 30),
      Buffer.alloc(512),
      exampleVolume(seed, chunkSizeBytes, 30),
    ]),
  )
  await Promise.all(volumes.map((volume, index) => backUp(vault, domain, `${index}`, volume)))
  for (const [index, volume] of volumes.entries())
    assert.ok((await restore(vault, domain, `${index}`)).equals(volume))
  assert.deepEqual(await vault.check({ readData: true }), [])
})

test('refuses a revision with a chunk that is not stored, and goes on when it has been added', async () => {
  const vault = await newVault()
  const session = await vault.beginBackup(domain)
  const a = sealedNoise(vault, 'a')
  const b = sealedNoise(vault, 'b')
  const chunks = ChunkList.of(a.id, b.id)
  await session.add(a.id, a.sealed)
  await assert.rejects(session.commitRevision(revisionOf(chunks)), failsWith('chunk-missing'))
  assert.deepEqual(await vault.revisions(domain), [])
  assert.deepEqual(session.missing(chunks), [1])
  await session.add(b.id, b.sealed)
  const head = await session.commitRevision(revisionOf(chunks))
  assert.deepEqual(await vault.revisions(domain), [head])
})

test('never shows a revision before all its packs are durable', async () => {
  const memory = new MemoryBackend()
  const order: string[] = []
  const watched = new FaultyBackend(memory, (operation) => {
    order.push(operation.replace(/domains\/\w+\//, '').replace(/[0-9a-f]{32}/, ''))
    return 'done'
  })
  const vault = await newVault(watched)
  await backUp(vault, domain, '1', exampleVolume('a', chunkSizeBytes, 60))
  const revision = order.indexOf('put revisions/1')
  assert.ok(order.filter((operation) => operation === 'commit packs/').length > 3)
  assert.ok(order.lastIndexOf('commit packs/') < revision)
})

test('refuses a second revision of the same id, also when both are committed at once', async () => {
  const vault = await newVault()
  const outcomes = await Promise.allSettled(
    ['a', 'b', 'c'].map((seed) => backUp(vault, domain, 'same', noise(seed, 8000))),
  )
  assert.equal(outcomes.filter((outcome) => outcome.status === 'fulfilled').length, 1)
  await assert.rejects(backUp(vault, domain, 'same', noise('d', 8000)), failsWith('revision-exists'))
  assert.equal((await vault.revisions(domain)).length, 1)
})

test('finds what an interrupted backup had sent', async () => {
  const memory = new MemoryBackend()
  const vault = await newVault(memory)
  const volume = exampleVolume('a', chunkSizeBytes, 50)
  const session = await vault.beginBackup(domain)
  const chunks = await addVolume(vault, session, domain, volume)
  await session.abort()
  await vault.close()
  const reopened = await openVault({ backend: memory, key })
  const resumed = await reopened.beginBackup(domain)
  assert.deepEqual(resumed.missing(chunks), [])
  await resumed.commitRevision({
    revision: '1',
    volume: 'disk',
    capacityBytes: volume.length,
    metadata: null,
    chunks,
  })
  assert.ok((await restore(reopened, domain, '1')).equals(volume))
})

test('keeps domains apart', async () => {
  const vault = await newVault()
  const volume = exampleVolume('a', chunkSizeBytes, 10)
  await backUp(vault, 'acme/0001', '1', volume)
  const other = await vault.beginBackup('acme/0002')
  const reader = await vault.openRevision('acme/0001', '1')
  assert.deepEqual(other.missing(reader.chunks), [0, 1, 3, 4, 6, 7, 9])
  assert.deepEqual(await vault.revisions('acme/0002'), [])
  await assert.rejects(vault.openRevision('acme/0002', '1'), failsWith('revision-missing'))
  assert.deepEqual((await vault.domains()).sort(), ['acme/0001', 'acme/0002'])
})

test('refuses bytes that are no sealed chunk, ids of another length, and a list that does not fit the volume', async () => {
  const vault = await newVault()
  const session = await vault.beginBackup(domain)
  const { id, sealed } = sealedNoise(vault, 'a')
  await assert.rejects(session.add(id, Buffer.alloc(10)), failsWith('damaged'))
  const tooLong = sealChunk(id, noise('long', chunkSizeBytes + 1), vault.chunkKeys(domain))
  await assert.rejects(session.add(id, tooLong), failsWith('damaged'))
  await assert.rejects(session.add(id.subarray(1), sealed), failsWith('damaged'))
  await assert.rejects(session.add(Buffer.alloc(32), sealed), failsWith('invalid-argument'))
  assert.throws(() => new ChunkList(Buffer.alloc(33)), failsWith('invalid-argument'))
  await session.add(id, sealed)
  const revision = revisionOf(ChunkList.of(id))
  await assert.rejects(
    session.commitRevision({ ...revision, capacityBytes: chunkSizeBytes + 1 }),
    failsWith('invalid-argument'),
  )
  for (const bad of ['', '../x', '.x', 'a/b', 'x'.repeat(65)]) {
    await assert.rejects(
      session.commitRevision({ ...revision, revision: bad }),
      failsWith('invalid-argument'),
    )
  }
})

test('does nothing after its end', async () => {
  const vault = await newVault()
  const session = await vault.beginBackup(domain)
  const { id, sealed } = sealedNoise(vault, 'a')
  await session.abort()
  await session.abort()
  assert.throws(() => session.missing(ChunkList.of(id)), failsWith('closed'))
  await assert.rejects(session.add(id, sealed), failsWith('closed'))
  await assert.rejects(session.commitRevision(revisionOf(ChunkList.of(id))), failsWith('closed'))
})

test('counts chunks as missing again when their pack could not be written', async () => {
  for (const failing of ['create', 'write', 'commit']) {
    let broken = true
    const isBroken = (operation: string) =>
      broken && operation.startsWith(`${failing} domains`) && operation.includes('/packs/')
    const vault = await newVault(
      new FaultyBackend(new MemoryBackend(), (operation) => (isBroken(operation) ? 'refused' : 'done')),
    )
    const session = await vault.beginBackup(domain)
    const { id, sealed } = sealedNoise(vault, 'a')
    const chunks = ChunkList.of(id)
    const adding = session.add(id, sealed).then(() => session.flush())
    await assert.rejects(adding, failsWith('storage'))
    assert.deepEqual(session.missing(chunks), [0])
    await assert.rejects(session.commitRevision(revisionOf(chunks)), failsWith('chunk-missing'))
    broken = false
    await session.add(id, sealed)
    await session.commitRevision(revisionOf(chunks))
    assert.deepEqual(await vault.check({ readData: true }), [])
  }
})

test('holds back further chunks while full packs wait for the storage', async () => {
  const releases: (() => void)[] = []
  const memory = new MemoryBackend()
  const slow = new (class extends FaultyBackend {
    override async create(name: string) {
      const writer = await super.create(name)
      const commit = async () => {
        await new Promise<void>((resolve) => releases.push(resolve))
        await writer.commit()
      }
      return { write: writer.write.bind(writer), abort: writer.abort.bind(writer), commit }
    }
  })(memory, () => 'done')
  const vault = await createVault({ backend: slow, key, chunkSizeBytes, packSizeBytes: chunkSizeBytes })
  const session = await vault.beginBackup(domain)
  let accepted = 0
  const adding = Array.from({ length: 10 }, async (_, index) => {
    const { id, sealed } = sealedNoise(vault, `${index}`)
    await session.add(id, sealed)
    accepted++
  })
  while (releases.length < 2) await new Promise(setImmediate)
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  assert.equal(accepted, 3)
  const release = setInterval(() => releases.shift()?.(), 1)
  await Promise.all(adding)
  await session.flush()
  clearInterval(release)
  assert.equal((await vault.usage(domain)).chunks, 10)
})

test('completes a commit that is under way when the vault is closed, before others may open it', async () => {
  const memory = new MemoryBackend()
  const vault = await newVault(memory)
  const session = await vault.beginBackup(domain)
  const chunks = await addVolume(vault, session, domain, exampleVolume('b', chunkSizeBytes, 60))
  const committing = session.commitRevision({
    revision: '2',
    volume: 'disk',
    capacityBytes: 60 * chunkSizeBytes,
    metadata: null,
    chunks,
  })
  await Promise.all([committing, vault.close()])
  const reopened = await openVault({ backend: memory, key })
  assert.deepEqual(
    (await reopened.revisions(domain)).map((head) => head.revision),
    ['2'],
  )
  assert.deepEqual(await reopened.check({ readData: true }), [])
})
