/** Revisions of which some chunks are stored as patches of what was there before: backed up, restored, collected, checked and repaired. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { nameChunk } from '../chunk/chunk-id.ts'
import { ChunkList } from '../chunk/chunk-list.ts'
import { makePatch, patchMapBytes } from '../chunk/patch.ts'
import { type SealingKeys, sealChunk } from '../chunk/sealed-chunk.ts'
import { allocateAligned } from '../direct-io/aligned-memory.ts'
import { isVaultFailure, type VaultFailureCode } from '../failure.ts'
import { deriveEndToEndKeys } from '../keys/end-to-end.ts'
import { RevisionChunks } from '../revision/revision-chunks.ts'
import type { StorageBackend } from '../storage/backend.ts'
import { DirectoryBackend } from '../storage/directory-backend.ts'
import { MemoryBackend } from '../storage/memory-backend.ts'
import { noise } from '../testing/noise.ts'
import { backUpPatched, changePieces, mapOf, patchedEntry } from '../testing/patched-volume.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { addVolume, backUp, exampleVolume, restore, restoreFrom } from '../testing/volume.ts'
import { createVault, openVault } from './open-vault.ts'
import type { RevisionReader } from './revision-reader.ts'
import type { Vault } from './vault.ts'

const key = { bytes: noise('key', 32) }
const domain = 'acme/0001'
const chunkSizeBytes = 4096
const packSizeBytes = 16_000
const failsWith = (code: VaultFailureCode) => (error: unknown) => isVaultFailure(error, code)

/** Whole chunks that are no zeros. */
const positions = [0, 1, 3, 4, 9, 15, 27]
/** What is changed beyond them, too much for a patch. */
const rewritten = [12, 16]
const earlier = exampleVolume('a', chunkSizeBytes, 29)
const changed = changeOf(earlier, 'b')

/** The volume with some pieces of each chunk that is to be patched changed, and some chunks as a whole. */
function changeOf(volume: Buffer, seed: string): Buffer {
  const change = changePieces(volume, chunkSizeBytes, seed, (position) =>
    positions.includes(position) ? 1 + (position % 5) : 0,
  )
  for (const position of rewritten)
    noise(`${seed} ${position}`, chunkSizeBytes).copy(change, position * chunkSizeBytes)
  return change
}

const chunkOf = (volume: Buffer, position: number) =>
  volume.subarray(position * chunkSizeBytes, (position + 1) * chunkSizeBytes)

const storages = {
  memory: async () => new MemoryBackend(),
  'a directory': async (t: TestContext) => new DirectoryBackend(await temporaryFolder(t)),
} satisfies Record<string, (t: TestContext) => Promise<StorageBackend>>

/** A vault with the earlier volume as revision 1, and the changed one, patched over it, as revision 2. */
async function example(backend: StorageBackend, keysOf?: (vault: Vault) => SealingKeys) {
  const vault = await createVault({ backend, key, chunkSizeBytes, packSizeBytes })
  await backUp(vault, domain, '1', earlier, keysOf?.(vault))
  await backUpPatched(vault, domain, '2', { earlier, volume: changed, positions }, keysOf?.(vault))
  return vault
}

async function withReader<Result>(
  vault: Vault,
  revision: string,
  act: (reader: RevisionReader) => Promise<Result>,
): Promise<Result> {
  const reader = await vault.openRevision(domain, revision)
  try {
    return await act(reader)
  } finally {
    reader.close()
  }
}

function misfitsOf(vault: Vault, revision: string): Promise<number[]> {
  return withReader(vault, revision, async (reader) => {
    const found: number[] = []
    for (const portion of reader.patchedPortions(0, reader.content.count, 10_000)) {
      found.push(...(await reader.misfits(portion)))
    }
    return found
  })
}

/** Flips one bit of the sealed chunk that is at a place of what a revision has stored. */
async function damage(
  backend: StorageBackend,
  vault: Vault,
  revision: string,
  place: number,
): Promise<string> {
  return withReader(vault, revision, async (reader) => {
    const [run] = reader.runs([place])
    assert.ok(run)
    const content = Buffer.alloc((await backend.sizeBytes(run.object)) ?? 0)
    await backend.read(run.object, 0, content)
    const at = run.offset + (run.chunks[0]?.offset ?? 0) + 20
    content[at] = (content[at] ?? 0) ^ 8
    await backend.put(run.object, content)
    return run.object
  })
}

for (const [kind, newStorage] of Object.entries(storages)) {
  test(`in ${kind}, is restored byte for byte, and what its patched chunks are named is not stored`, async (t) => {
    const backend = await newStorage(t)
    const vault = await example(backend)
    assert.ok((await restore(vault, domain, '2')).equals(changed))
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
        assert.ok(content.nameOf(position).equals(nameChunk(chunkOf(changed, position), naming)))
        assert.ok(chunks.id(position).equals(nameChunk(chunkOf(earlier, position), naming)))
      }
      const session = await vault.beginBackup(domain)
      assert.deepEqual(session.missing(new ChunkList(content.names(0, 29))), positions)
      await session.abort()
    })
    assert.equal((await vault.usage(domain)).chunks, 20 + positions.length + rewritten.length)
    await vault.close()
    const reopened = await openVault({ backend, key })
    assert.ok((await restore(reopened, domain, '2')).equals(changed))
    assert.deepEqual(await reopened.check({ readData: true }), [])
    await reopened.close()
  })

  test(`in ${kind}, keeps bases and patches alive as long as it is there, and no longer`, async (t) => {
    const vault = await example(await newStorage(t))
    const later = changeOf(changed, 'c')
    await backUpPatched(vault, domain, '3', { earlier, volume: later, positions })
    await vault.deleteRevision(domain, '1')
    assert.ok((await vault.collect({ liveFractionMin: 1 })).packsWritten > 0)
    assert.equal((await vault.usage(domain)).chunks, 18 + 2 * (positions.length + rewritten.length))
    assert.ok((await restore(vault, domain, '2')).equals(changed))
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
      const vault = await example(backend)
      const [position, entry] = [positions[3] ?? 0, 3]
      const place = part === 'base' ? position : 29 + entry
      const concerned = part === 'base' ? ['1', '2'] : ['2']
      const pack = await damage(backend, vault, '2', place)
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

      await backUpPatched(vault, domain, '3', { earlier, volume: changed, positions })
      assert.deepEqual(await vault.check({ readData: true }), [])
      assert.ok((await restore(vault, domain, '2')).equals(changed))
      await vault.close()
    })
  }

  test(`in ${kind}, is read to its end though it is deleted meanwhile and what it needs is moved`, async (t) => {
    const vault = await example(await newStorage(t))
    const reader = await vault.openRevision(domain, '2')
    const other = await vault.openRevision(domain, '2')
    const plannedBefore = reader.patchedPortions(0, 29, 5000)
    for (const revision of ['1', '2']) await vault.deleteRevision(domain, revision)
    await vault.collect({ liveFractionMin: 1 })
    for (const portion of plannedBefore) assert.deepEqual(await reader.misfits(portion), [])
    assert.ok((await restoreFrom(vault, domain, reader)).equals(changed))
    reader.close()
    await vault.collect({ liveFractionMin: 1 })
    assert.ok((await restoreFrom(vault, domain, other)).equals(changed))
    other.close()
    await vault.collect()
    assert.equal((await vault.usage(domain)).chunks, 0)
    await vault.close()
  })

  test(`in ${kind}, is committed only when base and patch are stored, and otherwise not visible`, async (t) => {
    const backend = await newStorage(t)
    const vault = await createVault({ backend, key, chunkSizeBytes, packSizeBytes })
    const [base, chunk] = [chunkOf(earlier, 0), chunkOf(changed, 0)]
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
  const vault = await example(backend)
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

test('is read in portions that have every patched chunk once, in order, into memory of any kind', async () => {
  const vault = await example(new MemoryBackend())
  await withReader(vault, '2', async (reader) => {
    for (const [from, to] of [
      [0, 29],
      [1, 4],
      [4, 5],
      [5, 9],
      [28, 29],
      [7, 7],
    ] as const) {
      const expected = [...reader.content.patchedIn(from, to)]
      for (const sizeMaxBytes of [0, 20_000, 60_000, 10_000_000]) {
        const portions = reader.patchedPortions(from, to, sizeMaxBytes)
        assert.deepEqual(
          portions.flatMap(({ chunks }) => chunks),
          expected,
        )
        if (sizeMaxBytes === 0) assert.equal(portions.length, expected.length)
        if (sizeMaxBytes === 10_000_000) assert.equal(portions.length, expected.length > 0 ? 1 : 0)
        for (const portion of portions) {
          const { sizeBytes } = portion
          const memories = [
            undefined,
            Buffer.alloc(sizeBytes + 3).subarray(3),
            allocateAligned(sizeBytes).subarray(0, sizeBytes),
          ]
          const [one, ...others] = await Promise.all(
            memories.map((memory) => reader.readPatched(portion, memory)),
          )
          for (const other of others) assert.deepEqual(other, one)
        }
      }
    }
  })
})

test('refuses a portion of another revision', async () => {
  const vault = await example(new MemoryBackend())
  await withReader(vault, '2', async (reader) => {
    const [portion] = reader.patchedPortions(0, 29, 10_000)
    assert.ok(portion)
    const wrong = { ...portion, chunks: [{ position: 2, patch: 40 }] }
    await assert.rejects(reader.readPatched(wrong), failsWith('invalid-argument'))
  })
})

/**
 * Commits a revision whose list names the changed volume, with some wrong entries in its table.
 *
 * @param wrong what the table says of a position instead of what is right
 */
async function commitWrong(
  vault: Vault,
  keys: SealingKeys,
  wrong: ReadonlyMap<number, { base?: Buffer; patch?: Buffer }>,
): Promise<void> {
  const session = await vault.beginBackup(domain)
  const names = await addVolume(vault, session, domain, changed, keys)
  const add = async (plaintext: Uint8Array) => {
    const id = nameChunk(plaintext, keys.naming)
    await session.add(id, sealChunk(id, plaintext, keys))
    return id
  }
  const table: Buffer[] = []
  for (const position of positions) {
    const [base, chunk] = [chunkOf(earlier, position), chunkOf(changed, position)]
    const right = { base, patch: makePatch(chunk, mapOf(base, chunk)) }
    const entry = { ...right, ...wrong.get(position) }
    table.push(patchedEntry(position, await add(entry.base), await add(entry.patch)))
  }
  await session.commitRevision({
    revision: 'wrong',
    volume: 'disk',
    capacityBytes: changed.length,
    metadata: null,
    chunks: RevisionChunks.patched(names, Buffer.concat(table)),
  })
}

const mistakes: Readonly<Record<string, { base?: Buffer; patch?: Buffer }>> = {
  'a patch on a wrong base': { base: chunkOf(earlier, 6) },
  'a patch on the content itself without some of its pieces': { base: chunkOf(changed, 3) },
  'a patch of another chunk': {
    patch: Buffer.from(makePatch(chunkOf(changed, 27), mapOf(chunkOf(earlier, 27), chunkOf(changed, 27)))),
  },
  'a patch without pieces': { patch: Buffer.alloc(patchMapBytes) },
  'a whole chunk for a patch': { patch: chunkOf(changed, 6) },
  'a patch that was cut': { patch: Buffer.alloc(patchMapBytes, 255) },
  'a short base': { base: chunkOf(earlier, 6).subarray(0, 3584) },
  'a base that is a patch': { base: Buffer.concat([Buffer.alloc(patchMapBytes), Buffer.alloc(32)]) },
}

for (const [title, mistake] of Object.entries(mistakes)) {
  test(`finds ${title}, though every chunk is as it was sent`, async () => {
    const vault = await createVault({ backend: new MemoryBackend(), key, chunkSizeBytes, packSizeBytes })
    const wrong = new Map([3, 9].map((position) => [position, mistake]))
    await commitWrong(vault, vault.chunkKeys(domain), wrong)
    assert.deepEqual(await vault.check({ readData: true }), [])
    const isHarmless = title.includes('content itself')
    const expected = isHarmless ? [9] : [3, 9]
    assert.deepEqual(await misfitsOf(vault, 'wrong'), expected)
    await assert.rejects(restore(vault, domain, 'wrong'), failsWith('damaged'))
  })
}

test('finds a short patch on a base that is just as short', async () => {
  const vault = await createVault({ backend: new MemoryBackend(), key, chunkSizeBytes, packSizeBytes })
  const keys = vault.chunkKeys(domain)
  const [base, chunk] = [earlier, changed].map((volume) => chunkOf(volume, 0).subarray(0, 2048))
  assert.ok(base && chunk)
  const session = await vault.beginBackup(domain)
  const [baseId, patchId] = await Promise.all(
    [base, makePatch(chunk, mapOf(base, chunk))].map(async (plaintext) => {
      const id = nameChunk(plaintext, keys.naming)
      await session.add(id, sealChunk(id, plaintext, keys))
      return id
    }),
  )
  assert.ok(baseId && patchId)
  const commit = (capacityBytes: number) =>
    session.commitRevision({
      revision: '1',
      volume: 'disk',
      capacityBytes,
      metadata: null,
      chunks: RevisionChunks.patched(
        ChunkList.of(nameChunk(chunk, keys.naming)),
        patchedEntry(0, baseId, patchId),
      ),
    })
  await assert.rejects(commit(2048), failsWith('invalid-argument'))
  await assert.rejects(commit(4095), failsWith('invalid-argument'))
  assert.deepEqual(await vault.revisions(domain), [])
  await commit(4096)
  assert.deepEqual(await misfitsOf(vault, '1'), [0])
})

test('is kept and restored sealed end to end; whether patches fit nobody here can see', async () => {
  const own = deriveEndToEndKeys(noise('own', 32), domain)
  const keysOf = (vault: Vault) => ({ ...own.chunks, marking: vault.verificationKeys(domain).marking })
  const backend = new MemoryBackend()
  const vault = await example(backend, keysOf)
  assert.ok((await restore(vault, domain, '2', own.chunks)).equals(changed))
  await assert.rejects(restore(vault, domain, '2'), failsWith('damaged'))
  assert.deepEqual(await misfitsOf(vault, '2'), [])
  await commitWrong(vault, keysOf(vault), new Map([[3, { base: chunkOf(earlier, 6) }]]))
  assert.deepEqual(await misfitsOf(vault, 'wrong'), [])
  await assert.rejects(restore(vault, domain, 'wrong', own.chunks), failsWith('damaged'))
  await vault.deleteRevision(domain, 'wrong')
  await vault.deleteRevision(domain, '1')
  await vault.collect({ liveFractionMin: 1 })
  assert.deepEqual(await vault.check({ readData: true }), [])
  assert.ok((await restore(vault, domain, '2', own.chunks)).equals(changed))
  await damage(backend, vault, '2', 29)
  const findings = await vault.check({ readData: true })
  assert.deepEqual(
    findings.map(({ code }) => code),
    ['chunk-damaged', 'revision-incomplete'],
  )
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
