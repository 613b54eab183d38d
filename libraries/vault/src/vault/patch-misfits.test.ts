/** Patched chunks of a revision, read as what they are made of, and looked at for patches that do not fit their bases. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameChunk } from '../chunk/chunk-id.ts'
import { ChunkList } from '../chunk/chunk-list.ts'
import { makePatch, patchMapBytes } from '../chunk/patch.ts'
import { type SealingKeys, sealChunk } from '../chunk/sealed-chunk.ts'
import { allocateAligned } from '../direct-io/aligned-memory.ts'
import { isVaultFailure, type VaultFailureCode } from '../failure.ts'
import { deriveEndToEndKeys } from '../keys/end-to-end.ts'
import { RevisionChunks } from '../revision/revision-chunks.ts'
import { DirectoryBackend } from '../storage/directory-backend.ts'
import { MemoryBackend } from '../storage/memory-backend.ts'
import { noise } from '../testing/noise.ts'
import {
  changedVolume,
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
  withReader,
} from '../testing/patched-vault.ts'
import { mapOf, patchedEntry } from '../testing/patched-volume.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { addVolume, restore } from '../testing/volume.ts'
import { createVault } from './open-vault.ts'
import type { Vault } from './vault.ts'

const failsWith = (code: VaultFailureCode) => (error: unknown) => isVaultFailure(error, code)

test('is read in portions that have every patched chunk once, in order, into memory of any kind', async (t) => {
  const vault = await newPatchedVault(new DirectoryBackend(await temporaryFolder(t)))
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
  await vault.close()
})

test('refuses a portion of another revision', async () => {
  const vault = await newPatchedVault(new MemoryBackend())
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
  const names = await addVolume(vault, session, domain, changedVolume, keys)
  const add = async (plaintext: Uint8Array) => {
    const id = nameChunk(plaintext, keys.naming)
    await session.add(id, sealChunk(id, plaintext, keys))
    return id
  }
  const table: Buffer[] = []
  for (const position of positions) {
    const [base, chunk] = [chunkOf(earlier, position), chunkOf(changedVolume, position)]
    const right = { base, patch: makePatch(chunk, mapOf(base, chunk)) }
    const entry = { ...right, ...wrong.get(position) }
    table.push(patchedEntry(position, await add(entry.base), await add(entry.patch)))
  }
  await session.commitRevision({
    revision: 'wrong',
    volume: 'disk',
    capacityBytes: changedVolume.length,
    metadata: null,
    chunks: RevisionChunks.patched(names, Buffer.concat(table)),
  })
}

const mistakes: Readonly<Record<string, { base?: Buffer; patch?: Buffer }>> = {
  'a patch on a wrong base': { base: chunkOf(earlier, 6) },
  'a patch on the content itself without some of its pieces': { base: chunkOf(changedVolume, 3) },
  'a patch of another chunk': {
    patch: Buffer.from(
      makePatch(chunkOf(changedVolume, 27), mapOf(chunkOf(earlier, 27), chunkOf(changedVolume, 27))),
    ),
  },
  'a patch without pieces': { patch: Buffer.alloc(patchMapBytes) },
  'a whole chunk for a patch': { patch: chunkOf(changedVolume, 6) },
  'a patch that was cut': { patch: Buffer.alloc(patchMapBytes, 255) },
  'a short base': { base: chunkOf(earlier, 6).subarray(0, 3584) },
  'a base that is a patch': { base: Buffer.concat([Buffer.alloc(patchMapBytes), Buffer.alloc(32)]) },
}

for (const [title, mistake] of Object.entries(mistakes)) {
  test(`finds ${title}, though every chunk is as it was sent`, async () => {
    const vault = await createVault({ backend: new MemoryBackend(), key, chunkSizeBytes, packSizeBytes })
    const wrong = new Map([3, 9].map((position) => [position, mistake]))
    await commitWrong(vault, vault.chunkKeys(domain), wrong)
    assert.deepEqual(await vault.check(), [])
    const isHarmless = title.includes('content itself')
    const expected = isHarmless ? [9] : [3, 9]
    assert.deepEqual(await misfitsOf(vault, 'wrong'), expected)
    const findings = await vault.check({ readData: true })
    assert.deepEqual(
      findings.map(({ code, revisions, chunks }) => ({ code, revisions, chunks })),
      [{ code: 'revision-incomplete', revisions: ['wrong'], chunks: expected.length }],
    )
    assert.deepEqual(await vault.check({ readData: { fraction: 1, seed: 'any' } }), findings)
    await assert.rejects(restore(vault, domain, 'wrong'), failsWith('damaged'))
  })
}

test('finds a short patch on a base that is just as short', async () => {
  const vault = await createVault({ backend: new MemoryBackend(), key, chunkSizeBytes, packSizeBytes })
  const keys = vault.chunkKeys(domain)
  const [base, chunk] = [earlier, changedVolume].map((volume) => chunkOf(volume, 0).subarray(0, 2048))
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
  const vault = await newPatchedVault(backend, keysOf)
  assert.ok((await restore(vault, domain, '2', own.chunks)).equals(changedVolume))
  await assert.rejects(restore(vault, domain, '2'), failsWith('damaged'))
  assert.deepEqual(await misfitsOf(vault, '2'), [])
  await commitWrong(vault, keysOf(vault), new Map([[3, { base: chunkOf(earlier, 6) }]]))
  assert.deepEqual(await misfitsOf(vault, 'wrong'), [])
  await assert.rejects(restore(vault, domain, 'wrong', own.chunks), failsWith('damaged'))
  await vault.deleteRevision(domain, 'wrong')
  await vault.deleteRevision(domain, '1')
  await vault.collect({ liveFractionMin: 1 })
  assert.deepEqual(await vault.check({ readData: true }), [])
  assert.ok((await restore(vault, domain, '2', own.chunks)).equals(changedVolume))
  await damageChunk(backend, vault, '2', 29)
  const findings = await vault.check({ readData: true })
  assert.deepEqual(
    findings.map(({ code }) => code),
    ['chunk-damaged', 'revision-incomplete'],
  )
})
