import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { VaultFailure } from '../failure.ts'
import { MemoryBackend } from '../storage/memory-backend.ts'
import { FaultyBackend } from '../testing/faulty-backend.ts'
import { noise } from '../testing/noise.ts'
import { backUpPatched, changeForPatches } from '../testing/patched-volume.ts'
import { backUp, exampleVolume, restore } from '../testing/volume.ts'
import { createVault, openVault } from './open-vault.ts'
import type { Vault } from './vault.ts'

const key = { bytes: noise('key', 32) }
const domain = 'acme/0001'
const chunkSizeBytes = 4096
const packSizeBytes = 16_000
const volume = exampleVolume('a', chunkSizeBytes, 60)

let memory: MemoryBackend

beforeEach(async () => {
  memory = new MemoryBackend()
  const vault = await createVault({ backend: memory, key, chunkSizeBytes, packSizeBytes })
  await backUp(vault, domain, '1', volume)
  await vault.close()
})

/** The names of the objects of a kind; of packs only the full ones, in which a place is where it is in others. */
async function objectsOf(kind: string): Promise<string[]> {
  const names = (await memory.list('')).filter((name) => name.includes(`/${kind}`))
  const sizes = await Promise.all(names.map(async (name) => (await memory.sizeBytes(name)) ?? 0))
  return names.filter((_, index) => kind !== 'packs/' || (sizes[index] ?? 0) >= packSizeBytes)
}

/** Opens the vault on a storage that cannot read some places of its objects; negative ones count from the end. */
function openWithBadPlaces(places: Readonly<Record<string, readonly number[]>>): Promise<Vault> {
  const backend = new (class extends FaultyBackend {
    override async read(name: string, offsetBytes: number, into: Uint8Array): Promise<void> {
      const sizeBytes = (await memory.sizeBytes(name)) ?? 0
      for (const place of places[name] ?? []) {
        const offset = place < 0 ? sizeBytes + place : place
        if (offset < offsetBytes || offset >= offsetBytes + into.length) continue
        throw new VaultFailure('damaged', `${name} cannot be read`)
      }
      await super.read(name, offsetBytes, into)
    }
  })(memory, () => 'done')
  return openVault({ backend, key, packSizeBytes })
}

async function codes(vault: Vault): Promise<string[]> {
  return (await vault.check({ readData: true })).map(({ code }) => code).sort()
}

test('loses no more to a place that cannot be read than the chunk that is there', async () => {
  const [pack = ''] = await objectsOf('packs/')
  const vault = await openWithBadPlaces({ [pack]: [200] })
  const findings = await vault.check({ readData: true })
  assert.deepEqual(
    findings.map(({ code, chunks }) => [code, chunks]),
    [
      ['chunk-damaged', 1],
      ['revision-incomplete', 1],
    ],
  )
  const reader = await vault.openRevision(domain, '1')
  let damaged = 0
  for (const run of reader.runs(0, 60)) damaged += (await reader.damaged(run)).length
  assert.equal(damaged, 1)
  reader.close()
  const { packsReplaced, chunksLost } = await vault.repair({ readData: true })
  assert.deepEqual([packsReplaced, chunksLost], [1, 1])
  await backUp(vault, domain, '2', volume)
  assert.deepEqual(await codes(vault), [])
  assert.ok((await restore(vault, domain, '1')).equals(volume))
})

test('saves the chunks of packs whose headers and tables cannot be read', async () => {
  const [first = '', second = '', third = ''] = await objectsOf('packs/')
  const vault = await openWithBadPlaces({ [first]: [3], [second]: [-70], [third]: [-70, 81] })
  const damage = 'pack-damaged'
  assert.deepEqual(await codes(vault), [damage, damage, damage, 'revision-incomplete'])
  const report = await vault.repair({ readData: true })
  assert.deepEqual([report.packsReplaced, report.revisions], [3, []])
  assert.deepEqual(await codes(vault), [])
  assert.ok((await restore(vault, domain, '1')).equals(volume))
})

test('does without a configuration, an index and the name of a domain that cannot be read', async () => {
  const [segment = ''] = await objectsOf('index/')
  const withoutIndex = await openWithBadPlaces({ 'vault.json': [5], [segment]: [100] })
  assert.ok((await restore(withoutIndex, domain, '1')).equals(volume))
  assert.deepEqual(await codes(withoutIndex), ['configuration-damaged', 'segment-damaged'])
  await withoutIndex.close()
  const [name = ''] = await objectsOf('domain')
  const withoutName = await openWithBadPlaces({ [name]: [0] })
  assert.deepEqual(await codes(withoutName), ['domain-nameless'])
  assert.equal((await withoutName.collect()).packsDeleted, 0)
})

test('names the one patched chunk whose base or patch cannot be read, and the others are looked at', async () => {
  const change = changeForPatches(volume, chunkSizeBytes, 'b')
  const first = await openVault({ backend: memory, key, packSizeBytes })
  await backUpPatched(first, domain, '2', change)
  const planned = await first.openRevision(domain, '2')
  const patched = [...planned.content.patchedIn(0, 60)]
  assert.ok(patched.length > 5)
  const cases = [patched[2], patched[4]].flatMap((chunk, index) => {
    const [run] = planned.runs([(index === 0 ? chunk?.position : chunk?.patch) ?? 0])
    return chunk && run ? [{ position: chunk.position, object: run.object, place: run.offset + 20 }] : []
  })
  assert.equal(cases.length, 2)
  planned.close()
  await first.close()
  for (const { position, object, place } of cases) {
    const vault = await openWithBadPlaces({ [object]: [place] })
    const reader = await vault.openRevision(domain, '2')
    const positions: number[] = []
    for (const portion of reader.patchedPortions(0, 60, 200_000))
      positions.push(...(await reader.misfits(portion)))
    assert.deepEqual(positions, [position])
    reader.close()
    await vault.close()
  }
})
