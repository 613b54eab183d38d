import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVaultFailure } from '../failure.ts'
import { readObject } from '../storage/backend.ts'
import { MemoryBackend } from '../storage/memory-backend.ts'
import { noise } from '../testing/noise.ts'
import { packFooterBytes, tableEntryBytes } from './pack-format.ts'
import { PackWriter } from './pack-writer.ts'
import { readPackTable } from './read-pack-table.ts'

const identity = {
  packId: noise('pack', 16).toString('hex'),
  domainTag: noise('tag', 16).toString('hex'),
  tablesKey: noise('key', 32),
}
const isDamaged = (error: unknown) => isVaultFailure(error, 'damaged')

async function writePack(chunkCount: number): Promise<MemoryBackend> {
  const backend = new MemoryBackend()
  const writer = new PackWriter(identity, 1_700_000_000_000, backend.create('pack'))
  const written = Array.from({ length: chunkCount }, (_, index) => {
    return writer.append(noise(`id ${index}`, 32), noise(`sealed ${index}`, 100 + index)).written
  })
  await Promise.all(written)
  const announcedBytes = writer.sizeBytes
  await writer.finish()
  assert.equal(await backend.sizeBytes('pack'), announcedBytes)
  return backend
}

test('says in its table where every chunk lies, however many there are', async () => {
  for (const chunkCount of [0, 1, 7, 1000]) {
    const backend = await writePack(chunkCount)
    const table = await readPackTable(backend, 'pack', identity)
    assert.equal(table.createdMs, 1_700_000_000_000)
    assert.equal(table.ids.length, chunkCount)
    for (let chunk = 0; chunk < chunkCount; chunk++) {
      assert.deepEqual(table.ids.id(chunk), noise(`id ${chunk}`, 32))
      const sealed = Buffer.alloc(table.lengths[chunk] ?? 0)
      await backend.read('pack', table.offsets[chunk] ?? 0, sealed)
      assert.deepEqual(sealed, noise(`sealed ${chunk}`, 100 + chunk))
    }
  }
})

test('sees any changed bit of its table and footer', async () => {
  const content = await readObject(await writePack(3), 'pack')
  assert.ok(content)
  const endBytes = 3 * tableEntryBytes + packFooterBytes
  for (let bit = (content.length - endBytes) * 8; bit < content.length * 8; bit++) {
    const changed = Buffer.from(content)
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    const backend = new MemoryBackend()
    await backend.put('pack', changed)
    await assert.rejects(readPackTable(backend, 'pack', identity), isDamaged)
  }
})

test('refuses a pack that was cut, and one of another name, domain or key', async () => {
  const backend = await writePack(3)
  const content = await readObject(backend, 'pack')
  assert.ok(content)
  for (const length of [0, 10, 100, content.length - 1]) {
    await backend.put('cut', content.subarray(0, length))
    await assert.rejects(readPackTable(backend, 'cut', identity), isDamaged)
  }
  const other = noise('other', 32)
  const others = [
    { packId: other.toString('hex', 16) },
    { domainTag: other.toString('hex', 16) },
    { tablesKey: other },
  ]
  for (const difference of others) {
    await assert.rejects(readPackTable(backend, 'pack', { ...identity, ...difference }), isDamaged)
  }
})

test('fails all chunks of a pack whose storage fails', async () => {
  const failing = {
    write: () => Promise.reject(new Error('full')),
    commit: () => Promise.reject(new Error('full')),
    abort: () => Promise.resolve(),
  }
  const writer = new PackWriter(identity, 0, Promise.resolve(failing))
  const first = writer.append(noise('id', 32), noise('sealed', 100)).written
  await assert.rejects(first, /full/)
  await assert.rejects(writer.append(noise('id 2', 32), noise('sealed', 100)).written, /full/)
  await assert.rejects(writer.finish(), /full/)
  await writer.abort()
})
