import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { isVaultFailure } from '../failure.ts'
import { DirectoryBackend } from '../storage/directory-backend.ts'
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

test('refuses another key than the one it was made with', async (t) => {
  const backend = new DirectoryBackend(await temporaryFolder(t))
  await (await createVault({ backend, key })).close()
  await assert.rejects(openVault({ backend, key: { bytes: randomBytes(32) } }), (error) =>
    isVaultFailure(error, 'wrong-key'),
  )
})
