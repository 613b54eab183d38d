import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { nameChunk } from '../chunk/chunk-id.ts'
import { ChunkList } from '../chunk/chunk-list.ts'
import { sealChunk } from '../chunk/sealed-chunk.ts'
import { isAllZero } from '../chunk/zero.ts'
import { isVaultFailure } from '../failure.ts'
import { baseName } from '../object-names.ts'
import { MemoryBackend } from '../storage/memory-backend.ts'
import { FaultyBackend } from '../testing/faulty-backend.ts'
import { noise } from '../testing/noise.ts'
import { backUp, exampleVolume, restore } from '../testing/volume.ts'
import type { BackupSession } from './backup-session.ts'
import { createVault, openVault } from './open-vault.ts'
import { type Contribution, type OfferPack, openPackContributor } from './pack-contributor.ts'
import type { Vault } from './vault.ts'

const key = { bytes: noise('key', 32) }
const domain = 'acme/0001'
const chunkSizeBytes = 4096
const settings = { key, packSizeBytes: 16_000 }
const volume = exampleVolume('a', chunkSizeBytes, 60)

/** The names of the chunks of a volume. */
function namesOf(vault: Vault, content: Buffer): ChunkList {
  const ids = ChunkList.ofZeros(Math.ceil(content.length / chunkSizeBytes))
  for (let position = 0; position < ids.length; position++) {
    const plaintext = plaintextOf(content, position)
    if (!isAllZero(plaintext))
      ids.set(position, nameChunk(plaintext, vault.verificationKeys(domain).chunks.naming))
  }
  return ids
}

/** Positions of the chunks that are not zero. */
function storedOf(ids: ChunkList): number[] {
  return Array.from({ length: ids.length }, (_, position) => position).filter(
    (position) => !ids.isZero(position),
  )
}

function plaintextOf(content: Buffer, position: number): Buffer {
  return content.subarray(position * chunkSizeBytes, (position + 1) * chunkSizeBytes)
}

/** Asks a session what is missing of a volume, and gives that to another writer. */
async function contributeMissing(
  vault: Vault,
  session: BackupSession,
  target: Contribution,
  content: Buffer,
): Promise<ChunkList> {
  const ids = namesOf(vault, content)
  await Promise.all(
    session.missing(ids).map((position) => {
      const id = ids.id(position)
      return target.add(id, sealChunk(id, plaintextOf(content, position), vault.chunkKeys(domain)))
    }),
  )
  return ids
}

function commit(session: BackupSession, revision: string, content: Buffer, chunks: ChunkList) {
  return session.commitRevision({
    revision,
    volume: 'disk',
    capacityBytes: content.length,
    metadata: null,
    chunks,
  })
}

/** A vault that one has open, and another writer to its storage. */
async function twoWriters(t: TestContext, backend = new MemoryBackend()) {
  const vault = await createVault({ ...settings, backend, chunkSizeBytes })
  const contributor = await openPackContributor({ ...settings, backend })
  t.after(async () => {
    await contributor.close()
    await vault.close()
  })
  return { backend, vault, contributor }
}

const packsOf = async (backend: MemoryBackend) =>
  (await backend.list('')).filter((name) => name.includes('/packs/'))

test('what another writer has put into packs is a revision like any other', async (t) => {
  const { backend, vault, contributor } = await twoWriters(t)
  assert.equal(contributor.vaultId, vault.id)
  assert.equal(contributor.chunkSizeBytes, chunkSizeBytes)
  await backUp(vault, domain, '1', volume.subarray(0, 10 * chunkSizeBytes))
  const ownPacks = (await packsOf(backend)).length
  const session = await vault.beginBackup(domain)
  const offered: string[] = []
  const contribution = contributor.contribute(domain, async (packId) => {
    offered.push(packId)
    return session.takePack(packId)
  })
  const ids = await contributeMissing(vault, session, contribution, volume)
  await assert.rejects(commit(session, '2', volume, ids), (error) => isVaultFailure(error, 'chunk-missing'))
  await contribution.flush()
  assert.deepEqual(session.missing(ids), [])
  assert.deepEqual(session.notDurable(ids), [])
  await commit(session, '2', volume, ids)
  assert.ok(offered.length > 1, 'the backup fills several packs')
  assert.equal(
    (await packsOf(backend)).length,
    ownPacks + offered.length,
    'all but the first are of the other',
  )

  assert.deepEqual(await restore(vault, domain, '2'), volume)
  assert.deepEqual(await vault.check({ readData: true }), [])
  assert.equal((await vault.collect()).packsDeleted, 0)
  await vault.close()
  const again = await openVault({ ...settings, backend })
  assert.deepEqual(await restore(again, domain, '1'), volume.subarray(0, 10 * chunkSizeBytes))
  assert.deepEqual(await restore(again, domain, '2'), volume)
  assert.deepEqual(await again.check({ readData: true }), [])
  await again.close()
})

test('both writers store the same chunks at once, and each revision has all of its own', async (t) => {
  const { backend, vault, contributor } = await twoWriters(t)
  const sessions = [await vault.beginBackup(domain), await vault.beginBackup(domain)] as const
  const contribution = contributor.contribute(domain, (packId) => sessions[1].takePack(packId))
  const ids = namesOf(vault, volume)
  const all = storedOf(ids)
  await Promise.all(
    all.map(async (position) => {
      const id = ids.id(position)
      const sealed = () => sealChunk(id, plaintextOf(volume, position), vault.chunkKeys(domain))
      await Promise.all([sessions[0].add(id, sealed()), contribution.add(id, sealed())])
    }),
  )
  await contribution.flush()
  await Promise.all([commit(sessions[0], '1', volume, ids), commit(sessions[1], '2', volume, ids)])
  await vault.deleteRevision(domain, '1')
  await vault.collect()
  assert.deepEqual(await restore(vault, domain, '2'), volume)
  await vault.close()
  const again = await openVault({ ...settings, backend })
  assert.deepEqual(await restore(again, domain, '2'), volume)
  assert.deepEqual(await again.check({ readData: true }), [])
  await again.collect()
  assert.deepEqual(await restore(again, domain, '2'), volume)
  await again.close()
})

test('a chunk that is not what its id names goes into no pack', async (t) => {
  const { backend, vault, contributor } = await twoWriters(t)
  const contribution = contributor.contribute(domain, async () => true)
  const id = nameChunk(Buffer.alloc(chunkSizeBytes, 1), vault.chunkKeys(domain).naming)
  const other = sealChunk(id, Buffer.alloc(chunkSizeBytes, 2), vault.chunkKeys(domain))
  const isDamaged = (error: unknown) => isVaultFailure(error, 'damaged')
  await assert.rejects(contribution.add(id, other), isDamaged)
  await assert.rejects(contribution.add(id, Buffer.alloc(2 * chunkSizeBytes)), isDamaged)
  await assert.rejects(contribution.add(Buffer.alloc(32), other), (error) =>
    isVaultFailure(error, 'invalid-argument'),
  )
  await contribution.flush()
  assert.deepEqual(await packsOf(backend), [])
})

test('takes up only packs of this domain that the storage has, whole and with the keys of the vault', async (t) => {
  const { backend, vault, contributor } = await twoWriters(t)
  const session = await vault.beginBackup(domain)
  const durable = async (name: string): Promise<string> => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const contribution = contributor.contribute(name, async (packId) => {
      resolve(packId)
      return false
    })
    const plaintext = noise(name, chunkSizeBytes)
    const id = nameChunk(plaintext, vault.chunkKeys(name).naming)
    await contribution.add(id, sealChunk(id, plaintext, vault.chunkKeys(name)))
    await assert.rejects(contribution.flush(), (error) => isVaultFailure(error, 'chunk-missing'))
    return promise
  }
  const own = await durable(domain)
  const foreign = await durable('acme/0002')
  const objectOf = async (packId: string) =>
    (await packsOf(backend)).find((name) => baseName(name) === packId) ?? ''

  for (const bad of ['', '../../vault.json', own.toUpperCase(), `${own}0`]) {
    await assert.rejects(session.takePack(bad), (error) => isVaultFailure(error, 'invalid-argument'))
  }
  assert.equal(await session.takePack('0'.repeat(32)), false, 'there is none')
  assert.equal(await session.takePack(foreign), false, 'it is of another domain')
  const ownObject = await objectOf(own)
  const content = Buffer.alloc((await backend.sizeBytes(await objectOf(foreign))) ?? 0)
  await backend.read(await objectOf(foreign), 0, content)
  const moved = '1'.repeat(32)
  await backend.put(ownObject.replace(own, moved), content)
  assert.equal(await session.takePack(moved), false, 'it was made with the keys of another domain')
  await backend.read(ownObject, 0, content)
  await backend.put(ownObject.replace(own, moved), content)
  assert.equal(await session.takePack(moved), false, 'it has another name')
  content[content.length - 70] = (content[content.length - 70] ?? 0) ^ 1
  await backend.put(ownObject, content)
  assert.equal(await session.takePack(own), false, 'its table is damaged')
  assert.equal((await vault.usage(domain)).packs, 0)
  await session.abort()
  await assert.rejects(session.takePack(own), (error) => isVaultFailure(error, 'closed'))
})

test('a pack is taken up once, however often it is offered, also when it was found at the loading of its domain', async (t) => {
  const { backend, vault, contributor } = await twoWriters(t)
  const offered: string[] = []
  const first = await vault.beginBackup(domain)
  const contribution = contributor.contribute(domain, async (packId) => {
    offered.push(packId)
    return true
  })
  const ids = await contributeMissing(vault, first, contribution, volume)
  await contribution.flush()
  await vault.close()

  const next = await openVault({ ...settings, backend })
  const session = await next.beginBackup(domain)
  const { packs } = await next.usage(domain)
  assert.equal(packs, offered.length, 'they were found')
  for (const packId of [...offered, ...offered]) assert.equal(await session.takePack(packId), true)
  assert.equal((await next.usage(domain)).packs, packs)
  await next.collect()
  assert.equal((await next.usage(domain)).packs, packs, 'the session relies on them')
  await commit(session, '1', volume, ids)
  assert.deepEqual(await restore(next, domain, '1'), volume)
  await next.close()
})

test('a pack that a collection has freed is not taken up, and its chunks are missing', async (t) => {
  const { backend, vault, contributor } = await twoWriters(t)
  const offered: string[] = []
  const idle = await vault.beginBackup(domain)
  const contribution = contributor.contribute(domain, async (packId) => {
    offered.push(packId)
    return true
  })
  const ids = await contributeMissing(vault, idle, contribution, volume)
  await contribution.flush()
  await idle.abort()
  // The first one finds what nobody has told of, the next one frees it.
  assert.equal((await vault.collect()).packsDeleted, 0)
  assert.equal((await vault.usage(domain)).packs, offered.length)
  assert.equal((await vault.collect()).packsDeleted, offered.length)
  assert.deepEqual(await packsOf(backend), [])
  const session = await vault.beginBackup(domain)
  for (const packId of offered) assert.equal(await session.takePack(packId), false)
  assert.deepEqual(session.missing(ids), storedOf(ids))
  await assert.rejects(commit(session, '1', volume, ids), (error) => isVaultFailure(error, 'chunk-missing'))
})

test('no collection frees a pack between its taking up and the commit', async (t) => {
  const { vault, contributor } = await twoWriters(t)
  const session = await vault.beginBackup(domain)
  const contribution = contributor.contribute(domain, async (packId) => {
    const [isTaken] = await Promise.all([session.takePack(packId), vault.collect()])
    await vault.collect()
    return isTaken
  })
  const ids = await contributeMissing(vault, session, contribution, volume)
  await contribution.flush()
  const collecting = vault.collect()
  await commit(session, '1', volume, ids)
  await collecting
  await vault.collect()
  assert.deepEqual(await restore(vault, domain, '1'), volume)
  assert.deepEqual(await vault.check({ readData: true }), [])
})

test('a pack whose deletion a former holder of the vault may have sent is not taken up', async (t) => {
  const backend = new MemoryBackend()
  const { vault, contributor } = await twoWriters(t, backend)
  const offered: string[] = []
  const idle = await vault.beginBackup(domain)
  const offer: OfferPack = async (packId) => offered.push(packId) > 0
  await contributeMissing(vault, idle, contributor.contribute(domain, offer), volume)
  await idle.abort()
  await vault.close()
  // A holder whose deletions do not arrive while it has the vault.
  const late = new FaultyBackend(backend, (operation) =>
    /^delete .*\/packs\//.test(operation) ? 'refused' : 'done',
  )
  const former = await openVault({ ...settings, backend: late })
  await former.usage(domain)
  await assert.rejects(former.collect())
  await former.close()
  assert.ok((await backend.list('')).some((name) => name.includes('/deletions/')))

  const next = await openVault({ ...settings, backend })
  const session = await next.beginBackup(domain)
  assert.ok(offered.length > 0)
  for (const packId of offered) assert.equal(await session.takePack(packId), false)
  await next.close()
})

test('a pack that cannot be written takes its chunks along, and the next ones are written', async (t) => {
  const memory = new MemoryBackend()
  const vault = await createVault({ ...settings, backend: memory, chunkSizeBytes })
  let fails = true
  const backend = new FaultyBackend(memory, (operation) =>
    fails && operation.startsWith('commit') ? 'refused' : 'done',
  )
  const contributor = await openPackContributor({ ...settings, backend })
  t.after(async () => {
    await contributor.close()
    await vault.close()
  })
  const session = await vault.beginBackup(domain)
  const contribution = contributor.contribute(domain, (packId) => session.takePack(packId))
  await contributeMissing(vault, session, contribution, volume).catch(() => undefined)
  await contribution.flush().catch(() => undefined)
  fails = false
  const ids = await contributeMissing(vault, session, contribution, volume)
  await contribution.flush()
  await commit(session, '1', volume, ids)
  assert.deepEqual(await restore(vault, domain, '1'), volume)
})

test('what is given up leaves no pack, and takes nothing more', async (t) => {
  const { backend, vault, contributor } = await twoWriters(t)
  const session = await vault.beginBackup(domain)
  const contribution = contributor.contribute(domain, (packId) => session.takePack(packId))
  const small = volume.subarray(0, 2 * chunkSizeBytes)
  await contributeMissing(vault, session, contribution, small)
  await contribution.giveUp()
  assert.deepEqual(await packsOf(backend), [])
  await assert.rejects(contributeMissing(vault, session, contribution, small), (error) =>
    isVaultFailure(error, 'closed'),
  )
})
