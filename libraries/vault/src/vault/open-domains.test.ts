import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemoryBackend } from '../storage/memory-backend.ts'
import { noise } from '../testing/noise.ts'
import { addVolume, backUp, exampleVolume, restore } from '../testing/volume.ts'
import { createVault } from './open-vault.ts'
import type { Vault } from './vault.ts'

const key = { bytes: noise('key', 32) }
const chunkSizeBytes = 4096
/** What the index of a small domain takes. */
const indexBytes = 13_312

const volumeOf = (domain: string) => exampleVolume(domain, chunkSizeBytes, 20)

/** A vault with a few domains, each with a revision, and how often each was loaded since. */
async function vaultOf(
  domains: readonly string[],
  unusedIndexMaxBytes: number,
): Promise<{ readonly vault: Vault; readonly loaded: string[] }> {
  const memory = new MemoryBackend()
  const vault = await createVault({ backend: memory, key, chunkSizeBytes, unusedIndexMaxBytes })
  const loaded: string[] = []
  const list = memory.list.bind(memory)
  const domainOf = new Map<string, string>()
  let current = ''
  memory.list = (prefix) => {
    // Whoever loads a domain lists the segments of its index.
    if (prefix.endsWith('/index/')) {
      if (!domainOf.has(prefix)) domainOf.set(prefix, current)
      loaded.push(domainOf.get(prefix) ?? '')
    }
    return list(prefix)
  }
  for (const domain of domains) {
    current = domain
    await backUp(vault, domain, '1', volumeOf(domain))
  }
  loaded.length = 0
  return { vault, loaded }
}

test('keeps the indexes that were used last, as far as their memory goes, and loads others again', async () => {
  const { vault, loaded } = await vaultOf(['a', 'b', 'c'], 2 * indexBytes)
  for (const domain of ['c', 'b', 'c']) await vault.usage(domain)
  assert.deepEqual(loaded, [])
  await vault.usage('a')
  await vault.usage('c')
  assert.deepEqual(loaded, ['a'])
  await vault.usage('b')
  assert.deepEqual(loaded, ['a', 'b'])
  for (const domain of ['a', 'b', 'c'])
    assert.ok((await restore(vault, domain, '1')).equals(volumeOf(domain)))
  await vault.close()
})

test('keeps what backups and restores use, however little memory there is', async () => {
  const { vault, loaded } = await vaultOf(['a', 'b', 'c'], 0)
  const reader = await vault.openRevision('a', '1')
  const session = await vault.beginBackup('b')
  const chunks = await addVolume(vault, session, 'b', volumeOf('new'))
  loaded.length = 0
  for (const domain of ['a', 'b', 'c', 'c']) await vault.usage(domain)
  assert.deepEqual(loaded, ['c', 'c'])
  const capacityBytes = volumeOf('new').length
  await session.commitRevision({ revision: '2', volume: 'disk', capacityBytes, metadata: null, chunks })
  reader.close()
  loaded.length = 0
  assert.ok((await restore(vault, 'b', '2')).equals(volumeOf('new')))
  assert.ok((await restore(vault, 'a', '1')).equals(volumeOf('a')))
  assert.deepEqual(loaded, ['b', 'a'])
  await vault.close()
})
