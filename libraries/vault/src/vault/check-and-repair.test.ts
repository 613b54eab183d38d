import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { isVaultFailure, VaultFailure } from '../failure.ts'
import { type ObjectWriter, readObject } from '../storage/backend.ts'
import { MemoryBackend } from '../storage/memory-backend.ts'
import { FaultyBackend } from '../testing/faulty-backend.ts'
import { noise } from '../testing/noise.ts'
import { backUp, exampleVolume, restore } from '../testing/volume.ts'
import { createVault, openVault } from './open-vault.ts'
import type { Vault } from './vault.ts'

const key = { bytes: noise('key', 32) }
const domain = 'acme/0001'
const chunkSizeBytes = 4096
const volume = exampleVolume('a', chunkSizeBytes, 60)

let memory: MemoryBackend
let vault: Vault

beforeEach(async () => {
  memory = new MemoryBackend()
  vault = await createVault({ backend: memory, key, chunkSizeBytes, packSizeBytes: 16_000 })
  await backUp(vault, domain, '1', volume)
})

async function reopen(): Promise<void> {
  await vault.close()
  vault = await openVault({ backend: memory, key })
}

/** The largest first: the last pack of a backup may be so small that a place in it is not where it is in others. */
async function objectsOf(kind: string): Promise<string[]> {
  const names = (await memory.list('')).filter((name) => name.includes(`/${kind}`))
  const sizes = new Map<string, number>()
  for (const name of names) sizes.set(name, (await memory.sizeBytes(name)) ?? 0)
  return names.sort((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0) || (a < b ? -1 : 1))
}

/** Flips one bit; a negative place counts from the end. */
async function damage(name: string | undefined, place: number): Promise<void> {
  assert.ok(name)
  const content = await readObject(memory, name)
  assert.ok(content)
  const index = place < 0 ? content.length + place : place
  content[index] = (content[index] ?? 0) ^ 4
  await memory.put(name, content)
}

async function codes(readData = false): Promise<string[]> {
  return (await vault.check({ readData })).map((finding) => finding.code)
}

test('finds nothing in a sound vault', async () => {
  assert.deepEqual(await vault.check({ readData: true }), [])
  await reopen()
  assert.deepEqual(await vault.check({ readData: true }), [])
})

test('finds a damaged chunk only by reading it, and says which revisions it concerns', async () => {
  const [pack] = await objectsOf('packs/')
  await damage(pack, 200)
  assert.deepEqual(await codes(), [])
  const findings = await vault.check({ readData: true })
  assert.deepEqual(
    findings.map((finding) => finding.code),
    ['chunk-damaged', 'revision-incomplete'],
  )
  assert.equal(findings[0]?.object, pack)
  assert.deepEqual(findings[0]?.revisions, ['1'])
  assert.equal(findings[0]?.chunks, 1)
  assert.match(findings[1]?.message ?? '', /^1 of 60 chunks/)
})

test('finds a changed record header by reading, which restores do not depend on', async () => {
  await damage((await objectsOf('packs/'))[0], 50)
  assert.deepEqual(await codes(), [])
  assert.ok((await restore(vault, domain, '1')).equals(volume))
  assert.deepEqual(await codes(true), ['chunk-damaged', 'revision-incomplete'])
})

test('forgets damaged chunks, so that the next backup heals the revisions that need them', async () => {
  for (const pack of await objectsOf('packs/')) await damage(pack, 100)
  const lost = (await objectsOf('packs/')).length
  await assert.rejects(restore(vault, domain, '1'), (error) => isVaultFailure(error, 'damaged'))
  const report = await vault.repair({ readData: true })
  assert.equal(report.packsReplaced, lost)
  assert.equal(report.chunksLost, lost)
  assert.equal(report.chunksSaved + report.chunksLost, 40)
  assert.deepEqual(report.revisions, [{ domain, revision: '1', chunksLost: lost }])
  assert.deepEqual(await codes(true), ['revision-incomplete'])
  const reader = await vault.openRevision(domain, '1')
  assert.equal(reader.lost(0, 60).length, lost)
  reader.close()

  await backUp(vault, domain, '2', volume)
  assert.deepEqual(await vault.check({ readData: true }), [])
  assert.ok((await restore(vault, domain, '1')).equals(volume))
})

test('saves the chunks of a pack whose table is damaged', async () => {
  const [pack] = await objectsOf('packs/')
  await damage(pack, -70)
  assert.deepEqual(await codes(), ['pack-damaged', 'revision-incomplete'])
  await vault.close()
  for (const name of await objectsOf('index/')) await memory.delete(name)
  vault = await openVault({ backend: memory, key })
  await assert.rejects(restore(vault, domain, '1'), (error) => isVaultFailure(error, 'chunk-missing'))
  const report = await vault.repair()
  assert.equal(report.packsReplaced, 1)
  assert.equal(report.chunksLost, 0)
  assert.ok(report.chunksSaved > 0)
  assert.deepEqual(await vault.check({ readData: true }), [])
  assert.ok((await restore(vault, domain, '1')).equals(volume))
})

test('saves what is left of a pack that was cut, and drops one that is nothing any more', async () => {
  const [first = '', second = ''] = await objectsOf('packs/')
  const content = await readObject(memory, first)
  assert.ok(content)
  await memory.put(first, content.subarray(0, 9000))
  await memory.put(second, Buffer.alloc(10))
  const report = await vault.repair()
  assert.equal(report.packsReplaced, 2)
  assert.ok(report.chunksSaved > 0)
  assert.deepEqual(await codes(true), ['revision-incomplete'])
  await backUp(vault, domain, '2', volume)
  assert.deepEqual(await vault.check({ readData: true }), [])
})

test('replaces a pack with a damaged header, losing nothing', async () => {
  await damage((await objectsOf('packs/'))[0], 3)
  assert.deepEqual(await codes(), ['pack-damaged'])
  assert.equal((await vault.repair()).chunksLost, 0)
  assert.deepEqual(await vault.check({ readData: true }), [])
})

test('notices that a pack has disappeared while the vault is open', async () => {
  const [pack = ''] = await objectsOf('packs/')
  await memory.delete(pack)
  assert.deepEqual(await codes(), ['pack-missing', 'revision-incomplete'])
  await vault.repair()
  assert.deepEqual(await codes(), ['revision-incomplete'])
  await backUp(vault, domain, '2', volume)
  assert.deepEqual(await vault.check({ readData: true }), [])
})

test('does without damaged or missing index segments, and makes them anew', async () => {
  await reopen()
  const [segment = ''] = await objectsOf('index/')
  await damage(segment, 100)
  assert.deepEqual(await codes(), ['segment-damaged'])
  await reopen()
  assert.ok((await restore(vault, domain, '1')).equals(volume))
  await vault.repair()
  assert.deepEqual(await vault.check({ readData: true }), [])
  await vault.close()
  for (const name of await objectsOf('index/')) await memory.delete(name)
  vault = await openVault({ backend: memory, key })
  assert.ok((await restore(vault, domain, '1')).equals(volume))
})

test('reports a damaged revision and goes on with the others', async () => {
  await backUp(vault, domain, '2', volume)
  await damage((await objectsOf('revisions/1'))[0], 60)
  assert.deepEqual(await codes(), ['revision-damaged'])
  await assert.rejects(vault.revisions(domain), (error) => isVaultFailure(error, 'damaged'))
  const damaged: string[] = []
  const heads = await vault.revisions(domain, (revision) => damaged.push(revision))
  assert.deepEqual(damaged, ['1'])
  assert.deepEqual(
    heads.map((head) => head.revision),
    ['2'],
  )
  assert.ok((await restore(vault, domain, '2')).equals(volume))
  await vault.deleteRevision(domain, '1')
  assert.deepEqual(await codes(), [])
})

test('sees any changed byte of a revision', async () => {
  const [name = ''] = await objectsOf('revisions/')
  const content = await readObject(memory, name)
  assert.ok(content)
  for (let place = 0; place < content.length; place++) {
    await damage(name, place)
    await assert.rejects(vault.openRevision(domain, '1'), `byte ${place}`)
    await memory.put(name, content)
  }
})

test('refuses a revision that was moved to another name or domain', async () => {
  await backUp(vault, 'other', '1', volume)
  const [own = '', other = ''] = await objectsOf('revisions/')
  const content = await readObject(memory, own)
  assert.ok(content)
  await memory.put(other, content)
  await memory.put(own.replace(/1$/, '2'), content)
  assert.deepEqual(new Set(await codes()), new Set(['revision-damaged']))
  assert.equal((await codes()).length, 2)
})

test('reports objects that no vault has, and domains whose name is lost', async () => {
  await memory.put('notes.txt', Buffer.from('hello'))
  const [name = ''] = await objectsOf('domain')
  await memory.delete(`${name.split('/').slice(0, 2).join('/')}/domain`)
  assert.deepEqual((await codes()).sort(), ['domain-nameless', 'object-unknown'])
  await reopen()
  await backUp(vault, domain, '2', volume)
  assert.deepEqual(await codes(), ['object-unknown'])
})

test('does not repair beside a backup or restore', async () => {
  const session = await vault.beginBackup(domain)
  await assert.rejects(vault.repair(), (error) => isVaultFailure(error, 'busy'))
  await session.abort()
  const reader = await vault.openRevision(domain, '1')
  await assert.rejects(vault.repair(), (error) => isVaultFailure(error, 'busy'))
  reader.close()
  await vault.repair()
})

test('lets backups and restores that begin during a repair wait for it', async () => {
  await vault.close()
  let duringRepair: (() => void) | undefined
  const backend = new (class extends FaultyBackend {
    override list(prefix: string): Promise<string[]> {
      if (prefix.endsWith('/index/')) duringRepair?.()
      return super.list(prefix)
    }
  })(memory, () => 'done')
  vault = await openVault({ backend, key })
  await vault.usage(domain)
  const reads: Promise<unknown>[] = []
  duringRepair = () => {
    duringRepair = undefined
    reads.push(
      backUp(vault, domain, '2', exampleVolume('b', chunkSizeBytes, 60)),
      restore(vault, domain, '1'),
    )
  }
  await vault.repair()
  assert.equal(reads.length, 2)
  await Promise.all(reads)
  assert.deepEqual(await vault.check({ readData: true }), [])
})

test('reads a sample of the chunks: the same for the same seed, and all of them in the course of several', async () => {
  for (const pack of await objectsOf('packs/')) await damage(pack, 100)
  const damagedPacks = (await objectsOf('packs/')).length
  const findingsOf = async (fraction: number, seed: string) => {
    const findings = await vault.check({ readData: { fraction, seed } })
    return findings.filter(({ code }) => code === 'chunk-damaged').map(({ object }) => object)
  }
  assert.deepEqual(await findingsOf(0.3, 'monday'), await findingsOf(0.3, 'monday'))
  const all = new Set<string>()
  const counts: number[] = []
  for (let day = 0; day < 30; day++) {
    const objects = await findingsOf(0.3, `day ${day}`)
    counts.push(objects.length)
    for (const object of objects) all.add(object)
  }
  assert.equal(all.size, damagedPacks)
  assert.ok(counts.some((count) => count < damagedPacks))
  assert.equal((await findingsOf(1, 'x')).length, damagedPacks)
  for (const fraction of [0, -1, 1.1, Number.NaN]) {
    await assert.rejects(vault.check({ readData: { fraction, seed: '' } }), (error) =>
      isVaultFailure(error, 'invalid-argument'),
    )
  }
})

test('checks one domain without looking at others', async () => {
  await backUp(vault, 'other', '1', volume)
  const [own] = await objectsOf('revisions/')
  await damage(own, 60)
  const domains = (await vault.check()).map((finding) => finding.domain)
  assert.equal(domains.length, 1)
  const [name = ''] = domains
  assert.equal((await vault.check({ domain: name })).length, 1)
  assert.deepEqual(await vault.check({ domain: name === 'other' ? domain : 'other' }), [])
})

test('finds chunks behind a damaged record, though the table is lost too, by what the index knows', async () => {
  const [pack] = await objectsOf('packs/')
  await reopen()
  await damage(pack, -70)
  await damage(pack, 81)
  const report = await vault.repair()
  assert.equal(report.chunksLost, 0)
  assert.deepEqual(report.revisions, [])
  assert.deepEqual(await vault.check({ readData: true }), [])
  assert.ok((await restore(vault, domain, '1')).equals(volume))
})

test('takes what is deleted while it is being read for something that is not there', async () => {
  await vault.close()
  let vanishing = ''
  const backend = new (class extends FaultyBackend {
    override async sizeBytes(name: string): Promise<number | undefined> {
      const sizeBytes = await super.sizeBytes(name)
      if (vanishing !== '' && name.includes(vanishing)) {
        vanishing = ''
        await memory.delete(name)
      }
      return sizeBytes
    }
  })(memory, () => 'done')
  vault = await openVault({ backend, key })
  const during = async <Result>(act: () => Promise<Result>, kind = '/revisions/2') => {
    await backUp(vault, domain, '2', volume)
    vanishing = kind
    const result = await act()
    assert.equal(vanishing, '', 'it was deleted')
    return result
  }
  assert.deepEqual(await during(() => vault.check()), [])
  assert.equal((await during(() => vault.collect())).packsDeleted, 0)
  assert.deepEqual((await during(() => vault.repair())).revisions, [])
  const heads = await during(() => vault.revisions(domain))
  assert.deepEqual(
    heads.map(({ revision }) => revision),
    ['1'],
  )
  const opening = during(() => vault.openRevision(domain, '2'))
  await assert.rejects(opening, (error) => isVaultFailure(error, 'revision-missing'))
  assert.deepEqual(await during(() => vault.check(), '/index/'), [])
})

/** A storage of which some places cannot be read, and that counts the objects on their way. */
class UnreadableBackend extends FaultyBackend {
  unreadable: (lengthBytes: number) => boolean = () => false
  underway = 0

  constructor(inner: MemoryBackend) {
    super(inner, () => 'done')
  }

  override async read(name: string, offsetBytes: number, into: Uint8Array): Promise<void> {
    if (this.unreadable(into.length)) throw new VaultFailure('storage', 'cannot be read')
    return super.read(name, offsetBytes, into)
  }

  override async create(name: string): Promise<ObjectWriter> {
    const writer = await super.create(name)
    this.underway++
    return {
      write: (pieces) => writer.write(pieces),
      commit: () => writer.commit().finally(() => this.underway--),
      abort: () => writer.abort().finally(() => this.underway--),
    }
  }
}

test('leaves no object half-written that a repair had begun when the storage failed', async () => {
  await damage((await objectsOf('packs/'))[0], -1)
  await vault.close()
  const backend = new UnreadableBackend(memory)
  vault = await openVault({ backend, key })
  backend.unreadable = (lengthBytes) => lengthBytes > 1000 && backend.underway > 0
  await assert.rejects(vault.repair(), (error) => isVaultFailure(error, 'storage'))
  assert.equal(backend.underway, 0)
  backend.unreadable = () => false
  assert.deepEqual((await vault.repair()).revisions, [])
  assert.ok((await restore(vault, domain, '1')).equals(volume))
})
