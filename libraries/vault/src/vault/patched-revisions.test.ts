/** Revisions of which some chunks are stored as patches of what was there before: backed up, restored, collected, checked and repaired. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { nameChunk } from '../chunk/chunk-id.ts'
import { ChunkList } from '../chunk/chunk-list.ts'
import { makePatch } from '../chunk/patch.ts'
import { sealChunk } from '../chunk/sealed-chunk.ts'
import { isVaultFailure, type VaultFailureCode } from '../failure.ts'
import { RevisionChunks } from '../revision/revision-chunks.ts'
import type { StorageBackend } from '../storage/backend.ts'
import { DirectoryBackend } from '../storage/directory-backend.ts'
import { MemoryBackend } from '../storage/memory-backend.ts'
import {
  changedVolume,
  changeOf,
  chunkOf,
  chunkSizeBytes,
  damageChunk,
  domain,
  earlier,
  key,
  misfitsOf,
  newPatchedVault,
  packSizeBytes,
  positions,
  rewritten,
  withReader,
} from '../testing/patched-vault.ts'
import { backUpPatched, changePieces, mapOf, patchedEntry } from '../testing/patched-volume.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { restore, restoreFrom } from '../testing/volume.ts'
import { createVault, openVault } from './open-vault.ts'

const failsWith = (code: VaultFailureCode) => (error: unknown) => isVaultFailure(error, code)

const storages = {
  memory: async () => new MemoryBackend(),
  'a directory': async (t: TestContext) => new DirectoryBackend(await temporaryFolder(t)),
} satisfies Record<string, (t: TestContext) => Promise<StorageBackend>>

for (const [kind, newStorage] of Object.entries(storages)) {
  test(`in ${kind}, is restored byte for byte, and what its patched chunks are named is not stored`, async (t) => {
    const backend = await newStorage(t)
    const vault = await newPatchedVault(backend)
    assert.ok((await restore(vault, domain, '2')).equals(changedVolume))
    assert.ok((await restore(vault, domain, '1')).equals(earlier))
    const { naming } = vault.chunkKeys(domain)
    await withReader(vault, '2', async ({ content, chunks }) => {
      assert.equal(content.count, 29)
      assert.equal(chunks.length, 29 + positions.length)
      assert.deepEqual(
        [...content.patchedIn(0, 29)].map(({ position }) => position),
        positions,
      )
      for (const position of positions) {
        assert.ok(content.nameOf(position).equals(nameChunk(chunkOf(changedVolume, position), naming)))
        assert.ok(chunks.id(position).equals(nameChunk(chunkOf(earlier, position), naming)))
      }
      const session = await vault.beginBackup(domain)
      assert.deepEqual(session.missing(new ChunkList(content.names(0, 29))), positions)
      await session.abort()
    })
    assert.equal((await vault.usage(domain)).chunks, 20 + positions.length + rewritten.length)
    await vault.close()
    const reopened = await openVault({ backend, key })
    assert.ok((await restore(reopened, domain, '2')).equals(changedVolume))
    assert.deepEqual(await reopened.check({ readData: true }), [])
    await reopened.close()
  })

  test(`in ${kind}, keeps bases and patches alive as long as it is there, and no longer`, async (t) => {
    const vault = await newPatchedVault(await newStorage(t))
    const later = changeOf(changedVolume, 'c')
    await backUpPatched(vault, domain, '3', { earlier, volume: later, positions })
    await vault.deleteRevision(domain, '1')
    assert.ok((await vault.collect({ liveFractionMin: 1 })).packsWritten > 0)
    assert.equal((await vault.usage(domain)).chunks, 18 + 2 * (positions.length + rewritten.length))
    assert.ok((await restore(vault, domain, '2')).equals(changedVolume))
    assert.ok((await restore(vault, domain, '3')).equals(later))

    await vault.deleteRevision(domain, '2')
    await vault.collect({ liveFractionMin: 1 })
    assert.equal((await vault.usage(domain)).chunks, 18 + positions.length + rewritten.length)
    assert.ok((await restore(vault, domain, '3')).equals(later))
    assert.deepEqual(await misfitsOf(vault, '3'), [])
    assert.deepEqual(await vault.check({ readData: true }), [])

    await vault.deleteRevision(domain, '3')
    await vault.collect()
    assert.deepEqual(await vault.usage(domain), { packs: 0, chunks: 0, storedBytes: 0 })
    await vault.close()
  })

  for (const part of ['base', 'patch'] as const) {
    test(`in ${kind}, is named where a ${part} is damaged, is said to be lost, and healed by the next backup`, async (t) => {
      const backend = await newStorage(t)
      const vault = await newPatchedVault(backend)
      const [position, entry] = [positions[3] ?? 0, 3]
      const place = part === 'base' ? position : 29 + entry
      const concerned = part === 'base' ? ['1', '2'] : ['2']
      const pack = await damageChunk(backend, vault, '2', place)
      assert.deepEqual(await vault.check(), [])
      const findings = await vault.check({ readData: true })
      assert.deepEqual(
        findings.map(({ code, revisions, chunks }) => ({ code, revisions, chunks })),
        [
          { code: 'chunk-damaged', revisions: concerned, chunks: 1 },
          ...concerned.map((one) => ({ code: 'revision-incomplete', revisions: [one], chunks: 1 })),
        ],
      )
      assert.equal(findings[0]?.object, pack)
      await assert.rejects(restore(vault, domain, '2'), failsWith('damaged'))
      await withReader(vault, '2', async (reader) => {
        const damaged: number[] = []
        for (const run of reader.runs(0, reader.chunks.length)) damaged.push(...(await reader.damaged(run)))
        assert.deepEqual(damaged, [place])
      })
      assert.deepEqual(await misfitsOf(vault, '2'), [position])

      const report = await vault.repair({ readData: true })
      assert.equal(report.chunksLost, 1)
      assert.deepEqual(
        report.revisions,
        concerned.map((revision) => ({ domain, revision, chunksLost: 1 })),
      )
      await assert.rejects(restore(vault, domain, '2'), failsWith('chunk-missing'))
      await withReader(vault, '2', async (reader) => {
        assert.deepEqual(reader.lost(0, reader.chunks.length), [place])
        assert.throws(() => reader.patchedPortions(position, position + 1, 1), failsWith('chunk-missing'))
        const others = [
          ...reader.patchedPortions(0, position, 10_000),
          ...reader.patchedPortions(position + 1, 29, 10_000),
        ]
        assert.equal(others.flatMap(({ chunks }) => chunks).length, positions.length - 1)
        for (const portion of others) assert.deepEqual(await reader.misfits(portion), [])
      })

      await backUpPatched(vault, domain, '3', { earlier, volume: changedVolume, positions })
      assert.deepEqual(await vault.check({ readData: true }), [])
      assert.ok((await restore(vault, domain, '2')).equals(changedVolume))
      await vault.close()
    })
  }

  test(`in ${kind}, is read to its end though it is deleted meanwhile and what it needs is moved`, async (t) => {
    const vault = await newPatchedVault(await newStorage(t))
    const reader = await vault.openRevision(domain, '2')
    const other = await vault.openRevision(domain, '2')
    const plannedBefore = reader.patchedPortions(0, 29, 5000)
    for (const revision of ['1', '2']) await vault.deleteRevision(domain, revision)
    await vault.collect({ liveFractionMin: 1 })
    for (const portion of plannedBefore) assert.deepEqual(await reader.misfits(portion), [])
    assert.ok((await restoreFrom(vault, domain, reader)).equals(changedVolume))
    reader.close()
    await vault.collect({ liveFractionMin: 1 })
    assert.ok((await restoreFrom(vault, domain, other)).equals(changedVolume))
    other.close()
    await vault.collect()
    assert.equal((await vault.usage(domain)).chunks, 0)
    await vault.close()
  })

  test(`in ${kind}, is committed only when base and patch are stored, and otherwise not visible`, async (t) => {
    const backend = await newStorage(t)
    const vault = await createVault({ backend, key, chunkSizeBytes, packSizeBytes })
    const [base, chunk] = [chunkOf(earlier, 0), chunkOf(changedVolume, 0)]
    const keys = vault.chunkKeys(domain)
    const parts = [base, makePatch(chunk, mapOf(base, chunk))].map((plaintext) => {
      const id = nameChunk(plaintext, keys.naming)
      return { id, sealed: sealChunk(id, plaintext, keys) }
    })
    const [baseId, patchId] = parts.map(({ id }) => id)
    assert.ok(baseId && patchId)
    const name = nameChunk(chunk, keys.naming)
    const session = await vault.beginBackup(domain)
    // That the content itself is stored is no help: it is what is named, not what is read.
    await session.add(name, sealChunk(name, chunk, keys))
    const commit = () =>
      session.commitRevision({
        revision: '1',
        volume: 'disk',
        capacityBytes: chunkSizeBytes,
        metadata: null,
        chunks: RevisionChunks.patched(ChunkList.of(name), patchedEntry(0, baseId, patchId)),
      })
    for (const { id, sealed } of parts) {
      await assert.rejects(commit(), failsWith('chunk-missing'))
      assert.deepEqual(await vault.revisions(domain), [])
      assert.deepEqual(
        await backend.list('domains/').then((all) => all.filter((one) => one.endsWith('/1'))),
        [],
      )
      await session.add(id, sealed)
    }
    await commit()
    assert.ok((await restore(vault, domain, '1')).equals(chunk))
    assert.deepEqual(await vault.check({ readData: true }), [])
    await vault.close()
  })
}

test('loses a pack with bases and patches, and says of which revisions they were', async () => {
  const backend = new MemoryBackend()
  const vault = await newPatchedVault(backend)
  const [run] = await withReader(vault, '2', async (reader) => reader.runs([29]))
  assert.ok(run)
  await backend.delete(run.object)
  const findings = await vault.check()
  assert.deepEqual(
    findings.map(({ code, revisions }) => ({ code, revisions })),
    [
      { code: 'pack-missing', revisions: ['2'] },
      { code: 'revision-incomplete', revisions: ['2'] },
    ],
  )
  const { revisions } = await vault.repair()
  assert.deepEqual(
    revisions.map(({ revision, chunksLost }) => ({ revision, chunksLost })),
    [{ revision: '2', chunksLost: findings[1]?.chunks }],
  )
  assert.ok((await restore(vault, domain, '1')).equals(earlier))
})

/** A vault of one revision, as it was before there were patched chunks: `packs`, `index` and `revisions` of a program of that time. */
async function earlierVault(): Promise<MemoryBackend> {
  const file = new URL('../testing/earlier-vault.json', import.meta.url)
  const objects: Record<string, string> = JSON.parse(await readFile(file, 'utf8'))
  const backend = new MemoryBackend()
  for (const [name, content] of Object.entries(objects))
    await backend.put(name, Buffer.from(content, 'base64'))
  return backend
}

test('is backed up over one of a vault that was made before there were any', async () => {
  const before = Buffer.alloc(6 * chunkSizeBytes - 512)
  for (const position of [0, 1, 3, 5]) chunkOf(before, position).fill(`earlier line ${position}\n`)
  const vault = await openVault({ backend: await earlierVault(), key })
  assert.ok((await restore(vault, domain, '1')).equals(before))
  assert.deepEqual(await vault.check({ readData: true }), [])
  const volume = changePieces(before, chunkSizeBytes, 'b', (position) => (position === 2 ? 0 : 2))
  chunkOf(volume, 4).fill(0)
  await backUpPatched(vault, domain, '2', { earlier: before, volume, positions: [0, 1, 3] })
  assert.equal((await vault.usage(domain)).chunks, 4 + 3)
  for (const [revision, content] of [
    ['1', before],
    ['2', volume],
  ] as const) {
    assert.ok((await restore(vault, domain, revision)).equals(content))
  }
  await vault.deleteRevision(domain, '1')
  await vault.collect({ liveFractionMin: 1 })
  assert.ok((await restore(vault, domain, '2')).equals(volume))
  assert.deepEqual(await vault.check({ readData: true }), [])
})
