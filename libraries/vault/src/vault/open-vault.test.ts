import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { isVaultFailure, type VaultFailureCode } from '../failure.ts'
import { readObject, type StorageBackend } from '../storage/backend.ts'
import { DirectoryBackend } from '../storage/directory-backend.ts'
import { MemoryBackend } from '../storage/memory-backend.ts'
import { S3Backend } from '../storage/s3/s3-backend.ts'
import { noise } from '../testing/noise.ts'
import { startS3Server } from '../testing/s3-server.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { backUp, exampleVolume } from '../testing/volume.ts'
import { createVault, openVault, vaultExists } from './open-vault.ts'

const key = { bytes: noise('key', 32) }
const failsWith = (code: VaultFailureCode) => (error: unknown) => isVaultFailure(error, code)

test('creates a vault once, and opens only what is one', async () => {
  const backend = new MemoryBackend()
  assert.equal(await vaultExists(backend), false)
  await assert.rejects(openVault({ backend, key }), failsWith('not-a-vault'))
  const vault = await createVault({ backend, key, chunkSizeBytes: 65_536 })
  await vault.close()
  await vault.close()
  assert.equal(await vaultExists(backend), true)
  await assert.rejects(createVault({ backend, key }), failsWith('vault-exists'))
  const reopened = await openVault({ backend, key })
  assert.equal(reopened.chunkSizeBytes, 65_536)
  assert.equal(reopened.id, vault.id)
})

test('refuses a key that is not its own, and can be opened with the right one afterwards', async () => {
  const backend = new MemoryBackend()
  await (await createVault({ backend, key })).close()
  await assert.rejects(openVault({ backend, key: { bytes: noise('other', 32) } }), failsWith('wrong-key'))
  await assert.rejects(
    openVault({ backend, key: { bytes: noise('short', 31) } }),
    failsWith('invalid-argument'),
  )
  await (await openVault({ backend, key })).close()
})

test('is open once at a time', async (t) => {
  const folder = await temporaryFolder(t)
  const vault = await createVault({ backend: new DirectoryBackend(folder), key })
  await assert.rejects(openVault({ backend: new DirectoryBackend(folder), key }), failsWith('locked'))
  await vault.close()
  await (await openVault({ backend: new DirectoryBackend(folder), key })).close()
})

test('refuses a configuration that was damaged, changed or written by a newer program', async () => {
  const backend = new MemoryBackend()
  await (await createVault({ backend, key })).close()
  const content = Buffer.alloc((await backend.sizeBytes('vault.json')) ?? 0)
  await backend.read('vault.json', 0, content)
  const original: unknown = JSON.parse(content.toString())
  const cases: [unknown, VaultFailureCode][] = [
    ['{', 'not-a-vault'],
    ['[]', 'not-a-vault'],
    [{ format: 'something else' }, 'not-a-vault'],
    [{ chunkSizeBytes: 5000 }, 'not-a-vault'],
    [{ chunkSizeBytes: '4096' }, 'not-a-vault'],
    [{ keySlots: [] }, 'not-a-vault'],
    [{ keySlots: [{ id: 'x' }] }, 'not-a-vault'],
    [{ changes: 'many' }, 'not-a-vault'],
    [{ version: 1, passphrase: { algorithm: 'md5' } }, 'not-a-vault'],
    [{ keyCheck: 7 }, 'not-a-vault'],
    [{ version: 3 }, 'unsupported-format'],
    [{ chunkSizeBytes: 4096 }, 'wrong-key'],
    [{ keyCheck: '' }, 'wrong-key'],
  ]
  for (const [change, code] of cases) {
    const text = typeof change === 'string' ? change : JSON.stringify(Object.assign({}, original, change))
    for (const name of ['vault.json', 'vault.copy.json']) await backend.put(name, Buffer.from(text))
    await assert.rejects(openVault({ backend, key }), failsWith(code), text)
  }
})

test('refuses chunk sizes that are no power of two, or out of range', async () => {
  for (const chunkSizeBytes of [0, 2048, 5000, 2 ** 25, Number.NaN]) {
    const creating = createVault({ backend: new MemoryBackend(), key, chunkSizeBytes })
    await assert.rejects(creating, failsWith('invalid-argument'))
  }
})

test('is not made in a place that holds something, which says how the vault that lies there comes back', async (t) => {
  const bucket = await startS3Server()
  t.after(() => bucket.close())
  const folder = await temporaryFolder(t)
  const places: Record<string, StorageBackend> = {
    memory: new MemoryBackend(),
    directory: new DirectoryBackend(folder),
    bucket: new S3Backend(bucket.options),
  }
  for (const [what, backend] of Object.entries(places)) {
    const vault = await createVault({ backend, key })
    await backUp(vault, 'acme/0001', '1', exampleVolume('a', vault.chunkSizeBytes, 2))
    await vault.close()
    const lost = await readObject(backend, 'vault.json')
    assert.ok(lost)
    for (const name of ['vault.json', 'vault.copy.json']) await backend.delete(name)
    await assert.rejects(
      createVault({ backend, key }),
      (error) =>
        isVaultFailure(error, 'place-not-empty') &&
        /put vault.json or vault.copy.json back/.test(error.message),
      what,
    )
    await backend.put('vault.copy.json', lost)
    const again = await openVault({ backend, key })
    assert.equal((await again.revisions('acme/0001')).length, 1)
    assert.deepEqual(again.healed, ['vault.json'])
    await again.close()
  }
  const foreign = new MemoryBackend()
  await foreign.put('notes.txt', Buffer.from('mine'))
  await assert.rejects(createVault({ backend: foreign, key }), failsWith('place-not-empty'))
})

test('is left as it is where it is only looked at, and its damaged configuration is a finding', async () => {
  const backend = new MemoryBackend()
  await (await createVault({ backend, key })).close()
  for (const name of ['vault.json', 'vault.copy.json']) {
    for (const damage of [
      async () => backend.delete(name),
      async () => backend.put(name, Buffer.from('{')),
    ]) {
      await damage()
      const looking = await openVault({ backend, key, heals: false })
      assert.deepEqual(
        (await looking.check()).map(({ code, object }) => [code, object]),
        [['configuration-damaged', name]],
      )
      assert.deepEqual((await looking.repair()).configurationHealed, [name])
      assert.deepEqual(await looking.check(), [])
      await looking.close()
    }
  }
})

test('leaves no traces where there is no vault', async (t) => {
  const folder = join(await temporaryFolder(t), 'elsewhere')
  await assert.rejects(openVault({ backend: new DirectoryBackend(folder), key }), failsWith('not-a-vault'))
  await assert.rejects(stat(folder), { code: 'ENOENT' })
})

test('does nothing any more when it is closed', async () => {
  const vault = await createVault({ backend: new MemoryBackend(), key })
  const session = await vault.beginBackup('a')
  await vault.close()
  await assert.rejects(vault.beginBackup('a'), failsWith('closed'))
  await assert.rejects(vault.collect(), failsWith('closed'))
  await assert.rejects(vault.check(), failsWith('closed'))
  await assert.rejects(session.flush(), failsWith('closed'))
})

test('ends a collection when its caller wants it, and says so', async () => {
  const vault = await createVault({ backend: new MemoryBackend(), key })
  await assert.rejects(vault.collect({ signal: AbortSignal.abort(new Error('enough')) }), /enough/)
  await vault.collect()
})
