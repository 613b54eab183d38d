/** Revisions whose chunks a computer has sealed with a key of its own, in a vault that is opened with the vault's key. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameChunk } from '../chunk/chunk-id.ts'
import { openChunk, sealChunk } from '../chunk/sealed-chunk.ts'
import { isVaultFailure } from '../failure.ts'
import { deriveEndToEndKeys } from '../keys/end-to-end.ts'
import { MemoryBackend } from '../storage/memory-backend.ts'
import { noise } from '../testing/noise.ts'
import { backUp, exampleVolume, restore } from '../testing/volume.ts'
import { createVault, openVault } from './open-vault.ts'
import type { Vault } from './vault.ts'

const key = { bytes: noise('key', 32) }
const domain = 'acme/0001'
const chunkSizeBytes = 4096
const own = deriveEndToEndKeys(noise('own', 32), domain)
const isDamaged = (error: unknown) => isVaultFailure(error, 'damaged')

const newVault = (backend = new MemoryBackend()) =>
  createVault({ backend, key, chunkSizeBytes, packSizeBytes: 16_000 })
const ownKeys = (vault: Vault) => ({ ...own.chunks, marking: vault.verificationKeys(domain).marking })

/** Flips one bit in the middle of the content of the first chunk of every pack. */
async function damagePacks(memory: MemoryBackend): Promise<void> {
  for (const name of await memory.list('domains/')) {
    if (!name.includes('/packs/')) continue
    const content = Buffer.alloc((await memory.sizeBytes(name)) ?? 0)
    await memory.read(name, 0, content)
    content[150] = (content[150] ?? 0) ^ 4
    await memory.put(name, content)
  }
}

test('a vault that was opened with its key cannot open a single chunk of such a revision', async () => {
  const memory = new MemoryBackend()
  const first = await newVault(memory)
  const volume = exampleVolume('a', chunkSizeBytes, 30)
  await backUp(first, domain, '1', volume, ownKeys(first))
  await first.close()
  const vault = await openVault({ backend: memory, key })
  await assert.rejects(restore(vault, domain, '1'), isDamaged)
  const reader = await vault.openRevision(domain, '1')
  let refused = 0
  for await (const { run, bytes } of reader.stream(reader.runs(0, reader.chunks.length))) {
    for (const { position, offset, lengthBytes } of run.chunks) {
      const sealed = bytes.subarray(offset, offset + lengthBytes)
      const open = () =>
        openChunk(reader.chunks.id(position), sealed, vault.chunkKeys(domain), {
          sizeMaxBytes: chunkSizeBytes,
        })
      assert.throws(open, isDamaged)
      refused++
    }
  }
  reader.close()
  assert.equal(refused, 20)
  assert.ok((await restore(vault, domain, '1', own.chunks)).equals(volume))
})

test('equal chunks of the computer are stored once, and not with those that the vault can open', async () => {
  const vault = await newVault()
  const volume = noise('a', 10 * chunkSizeBytes)
  await backUp(vault, domain, '1', volume, ownKeys(vault))
  await backUp(vault, domain, '2', volume, ownKeys(vault))
  assert.equal((await vault.usage(domain)).chunks, 10)
  await backUp(vault, domain, '3', volume)
  assert.equal((await vault.usage(domain)).chunks, 20)
  assert.ok((await restore(vault, domain, '2', own.chunks)).equals(volume))
  assert.ok((await restore(vault, domain, '3')).equals(volume))
})

test('what has no mark of this domain, or another one, is not taken', async () => {
  const vault = await newVault()
  const session = await vault.beginBackup(domain)
  const plaintext = noise('a', chunkSizeBytes)
  const id = nameChunk(plaintext, own.chunks.naming)
  const marking = vault.verificationKeys('acme/0002').marking
  await assert.rejects(session.add(id, sealChunk(id, plaintext, { ...own.chunks, marking })), isDamaged)
  await session.add(id, sealChunk(id, plaintext, ownKeys(vault)))
  await session.abort()
})

test('damage to sealed chunks is found and repaired without opening them, and a collection moves them', async () => {
  const memory = new MemoryBackend()
  const vault = await newVault(memory)
  const content = noise('kept', 8 * chunkSizeBytes)
  await backUp(
    vault,
    domain,
    '1',
    Buffer.concat([content, noise('gone', 40 * chunkSizeBytes)]),
    ownKeys(vault),
  )
  await backUp(vault, domain, '2', content, ownKeys(vault))
  assert.deepEqual(await vault.check({ readData: true }), [])
  await vault.deleteRevision(domain, '1')
  assert.equal((await vault.collect({ liveFractionMin: 1 })).packsDamaged, 0)
  assert.equal((await vault.usage(domain)).chunks, 8)
  assert.ok((await restore(vault, domain, '2', own.chunks)).equals(content))

  await damagePacks(memory)
  const findings = await vault.check({ readData: true })
  assert.deepEqual([...new Set(findings.map(({ code }) => code))].sort(), [
    'chunk-damaged',
    'revision-incomplete',
  ])
  const report = await vault.repair({ readData: true })
  assert.ok(report.chunksSaved > 0 && report.chunksLost > 0)
  await backUp(vault, domain, '3', content, ownKeys(vault))
  assert.deepEqual(await vault.check({ readData: true }), [])
  assert.ok((await restore(vault, domain, '2', own.chunks)).equals(content))
})
