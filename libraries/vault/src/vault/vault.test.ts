import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { ChunkList } from '../chunk/chunk-list.ts'
import { openChunk } from '../chunk/sealed-chunk.ts'
import { isVaultFailure } from '../failure.ts'
import { DirectoryBackend } from '../storage/directory-backend.ts'
import { MemoryBackend } from '../storage/memory-backend.ts'
import { noise } from '../testing/noise.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { backUp, exampleVolume, restore } from '../testing/volume.ts'
import { createVault, openVault } from './open-vault.ts'

const key = { bytes: randomBytes(32) }
const domain = 'acme/0001'
const chunkSizeBytes = 4096

test('gives back a volume that was backed up, also after closing and opening again', async (t) => {
  const backend = new DirectoryBackend(await temporaryFolder(t))
  const volume = exampleVolume('a', chunkSizeBytes, 100)
  const vault = await createVault({ backend, key, chunkSizeBytes, packSizeBytes: 64 * 1024 })
  await backUp(vault, domain, '1', volume)
  assert.ok((await restore(vault, domain, '1')).equals(volume))
  await vault.close()

  const reopened = await openVault({ backend, key })
  t.after(() => reopened.close())
  const heads = await reopened.revisions(domain)
  assert.deepEqual(
    heads.map((head) => [head.revision, head.capacityBytes, head.chunkCount]),
    [['1', volume.length, 100]],
  )
  assert.ok((await restore(reopened, domain, '1')).equals(volume))
  assert.deepEqual(await reopened.domains(), [domain])
})

test('reads single chunks, and says which are not there', async () => {
  const vault = await createVault({ backend: new MemoryBackend(), key, chunkSizeBytes })
  const volume = exampleVolume('a', chunkSizeBytes, 30)
  await backUp(vault, domain, '1', volume)
  const revision = await vault.openRevision(domain, '1')
  const ids = ChunkList.of(
    revision.chunks.id(4),
    Buffer.alloc(32),
    noise('unknown', 32),
    revision.chunks.id(0),
  )
  const reader = await vault.openChunks(domain, ids)
  assert.deepEqual(reader.lost(0, 4), [2])
  assert.throws(
    () => reader.runs(0, 4),
    (error) => isVaultFailure(error, 'chunk-missing'),
  )
  const opened: Buffer[] = []
  for await (const { run, bytes } of reader.stream(reader.runs([0, 3]))) {
    for (const chunk of run.chunks) {
      const sealed = bytes.subarray(chunk.offset, chunk.offset + chunk.lengthBytes)
      const plaintext = openChunk(ids.id(chunk.position), sealed, vault.chunkKeys(domain), {
        sizeMaxBytes: chunkSizeBytes,
      })
      opened[chunk.position] = Buffer.from(plaintext)
    }
  }
  assert.deepEqual(opened[0], volume.subarray(4 * chunkSizeBytes, 5 * chunkSizeBytes))
  assert.deepEqual(opened[3], volume.subarray(0, chunkSizeBytes))
})

test('reads a run into a given buffer, and not after the reader was closed', async () => {
  const vault = await createVault({ backend: new MemoryBackend(), key, chunkSizeBytes })
  await backUp(vault, domain, '1', exampleVolume('a', chunkSizeBytes, 30))
  const reader = await vault.openRevision(domain, '1')
  const [run] = reader.runs(0, 30)
  assert.ok(run)
  const into = Buffer.alloc(run.lengthBytes + 10)
  assert.equal((await reader.read(run, into)).buffer, into.buffer)
  assert.deepEqual(into.subarray(0, run.lengthBytes), await reader.read(run))
  await assert.rejects(reader.read(run, Buffer.alloc(run.lengthBytes - 1)), (error) =>
    isVaultFailure(error, 'invalid-argument'),
  )
  assert.throws(
    () => reader.runs(0, 31),
    (error) => isVaultFailure(error, 'invalid-argument'),
  )
  reader.close()
  await assert.rejects(reader.read(run), (error) => isVaultFailure(error, 'closed'))
})

test('keeps few index segments over many packs and openings', async (t) => {
  const folder = await temporaryFolder(t)
  const backend = new DirectoryBackend(folder)
  let vault = await createVault({ backend, key, chunkSizeBytes, packSizeBytes: chunkSizeBytes })
  const volumes = Array.from({ length: 12 }, (_, number) => exampleVolume(`${number}`, chunkSizeBytes, 20))
  for (const [number, volume] of volumes.entries()) {
    await backUp(vault, domain, `${number}`, volume)
    await vault.close()
    vault = await openVault({ backend, key, packSizeBytes: chunkSizeBytes })
  }
  t.after(() => vault.close())
  const segments = (await backend.list('')).filter((name) => name.includes('/index/'))
  assert.ok(segments.length > 0 && segments.length <= 8, `${segments.length} segments`)
  for (const [number, volume] of volumes.entries())
    assert.ok((await restore(vault, domain, `${number}`)).equals(volume))
  assert.deepEqual(await vault.check({ readData: true }), [])
})
