import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rmdir, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { isVaultFailure } from '../failure.ts'
import type { StorageBackend } from '../storage/backend.ts'
import { DirectoryBackend } from '../storage/directory-backend.ts'
import { MemoryBackend } from '../storage/memory-backend.ts'
import { LimitedBackend } from '../testing/limited-backend.ts'
import { noise } from '../testing/noise.ts'
import { addVolume, backUp, restore } from '../testing/volume.ts'
import { createVault, openVault } from './open-vault.ts'
import type { Vault } from './vault.ts'

const key = { bytes: noise('key', 32) }
const domain = 'acme/0001'
const chunkSizeBytes = 4096
const options = { key, packSizeBytes: 100_000 }
const volumeOf = (revision: string) => noise(revision, 60 * chunkSizeBytes)
const isFull = (error: unknown) => isVaultFailure(error, 'storage')

/** Backs up until the storage is full and gives the revisions that were made. */
async function fill(vault: Vault): Promise<string[]> {
  const names: string[] = []
  for (let number = 0; number < 100; number++) {
    const session = await vault.beginBackup(domain)
    try {
      const volume = volumeOf(`${number}`)
      const chunks = await addVolume(vault, session, domain, volume)
      const capacityBytes = volume.length
      await session.commitRevision({
        revision: `${number}`,
        volume: 'd',
        capacityBytes,
        metadata: null,
        chunks,
      })
      names.push(`${number}`)
    } catch (error) {
      assert.ok(isVaultFailure(error), String(error))
      assert.ok(error.code === 'storage' || error.code === 'chunk-missing', error.message)
      await session.abort().catch((failure: unknown) => assert.ok(isFull(failure)))
      return names
    }
  }
  throw new Error('the storage is never full')
}

/** Everything that a vault promises about a full storage. */
async function survivesFullStorage(backend: StorageBackend): Promise<void> {
  let vault = await createVault({ backend, ...options, chunkSizeBytes })
  const revisions = await fill(vault)
  assert.ok(revisions.length >= 3)
  await assert.rejects(backUp(vault, domain, 'one-more', volumeOf('one-more')), (error) =>
    isVaultFailure(error),
  )
  const listed = await vault.revisions(domain)
  assert.deepEqual(listed.map(({ revision }) => revision).sort(), [...revisions].sort())
  for (const revision of revisions)
    assert.ok((await restore(vault, domain, revision)).equals(volumeOf(revision)))
  assert.deepEqual(await vault.check({ readData: true }), [])
  await vault.close().catch((error: unknown) => assert.ok(isFull(error)))

  // There is no room for anything new, but a revision can go, and with it its space.
  vault = await openVault({ backend, ...options })
  const [first = '', ...rest] = revisions
  await vault.deleteRevision(domain, first)
  const { bytesFreed } = await vault.collect()
  assert.ok(bytesFreed > volumeOf(first).length * 0.9)
  await backUp(vault, domain, 'after', volumeOf('after'))
  for (const revision of [...rest, 'after']) {
    assert.ok((await restore(vault, domain, revision)).equals(volumeOf(revision)))
  }
  assert.deepEqual(await vault.check({ readData: true }), [])
  await vault.close()
}

test('keeps what it has when a quota is reached, and goes on when there is room again', () =>
  survivesFullStorage(new LimitedBackend(new MemoryBackend(), 1_200_000)))

test('keeps what it has when the disk is full, and goes on when there is room again', async (t) => {
  const folder = await smallDisk(t, 1)
  if (folder === undefined) return t.skip('only root mounts a small disk')
  await survivesFullStorage(new DirectoryBackend(join(folder, 'vault')))
  assert.deepEqual(await readdir(join(folder, 'vault', '.unfinished')), [])
})

test('says that the disk is full, and of which object', async (t) => {
  const folder = await smallDisk(t, 1)
  if (folder === undefined) return t.skip('only root mounts a small disk')
  const backend = new DirectoryBackend(join(folder, 'vault'))
  const { bavail, bsize } = await statfs(folder)
  await assert.rejects(
    backend.put('large', Buffer.alloc(bavail * bsize + 1)),
    (error) => isFull(error) && error instanceof Error && /writing large in .*ENOSPC/.test(error.message),
  )
  await backend.put('small', Buffer.alloc(1000))
  assert.deepEqual(await backend.list(''), ['small'])
})

/** A file system in memory of so many mebibytes; nothing where that is not allowed. */
async function smallDisk(t: TestContext, mebibytes: number): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'palisade-vault-'))
  let mounted = false
  t.after(async () => {
    if (mounted) execFileSync('umount', [folder])
    await rmdir(folder)
  })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  mounted = true
  return folder
}
