import assert from 'node:assert/strict'
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { isVaultFailure, type VaultFailureCode } from '../failure.ts'
import { MemoryBackend } from '../storage/memory-backend.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { createVault, openVault } from '../vault/open-vault.ts'
import { deriveChunkKeys, deriveDomainKeys } from './derive.ts'
import { createKeyFile, readKeyFile } from './key-file.ts'
import { keyFromPassphrase, newPassphraseParameters } from './passphrase.ts'

const failsWith = (code: VaultFailureCode) => (error: unknown) => isVaultFailure(error, code)
const posix = { skip: process.platform === 'win32' }

test('gives every domain and purpose its own key, the same every time', () => {
  const master = Buffer.alloc(32, 7)
  const all = ['a', 'b', 'a/b'].flatMap((domain) => {
    const keys = deriveDomainKeys(master, domain)
    assert.deepEqual(keys, deriveDomainKeys(master, domain))
    const raw = [keys.chunks.naming, keys.chunks.sealing, keys.marking, keys.tables, keys.records]
    return [...raw.map((key) => Buffer.from(key).toString('hex')), keys.tag]
  })
  assert.equal(new Set(all).size, all.length)
  assert.deepEqual(deriveChunkKeys(master, 'a'), deriveDomainKeys(master, 'a').chunks)
})

test('refuses a domain without a name and a master key of another length', () => {
  assert.throws(() => deriveChunkKeys(Buffer.alloc(32), ''), failsWith('invalid-argument'))
  assert.throws(() => deriveChunkKeys(Buffer.alloc(32), '\ud800'), failsWith('invalid-argument'))
  assert.throws(() => deriveChunkKeys(Buffer.alloc(16), 'a'), failsWith('invalid-argument'))
})

test('creates a key file for its owner only, and never overwrites one', posix, async (t) => {
  const path = join(await temporaryFolder(t), 'vault.key')
  const key = await createKeyFile(path)
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.deepEqual(await readKeyFile(path), key)
  await assert.rejects(createKeyFile(path), failsWith('bad-key-file'))
  assert.deepEqual(await readFile(path), key)
})

test('refuses a key file that others may read', posix, async (t) => {
  const path = join(await temporaryFolder(t), 'vault.key')
  await createKeyFile(path)
  for (const mode of [0o640, 0o604, 0o660, 0o610]) {
    await chmod(path, mode)
    await assert.rejects(readKeyFile(path), failsWith('bad-key-file'))
  }
  await chmod(path, 0o400)
  assert.equal((await readKeyFile(path)).length, 32)
})

test('refuses a key file of another length, a folder, and one that is not there', async (t) => {
  const folder = await temporaryFolder(t)
  await writeFile(join(folder, 'short'), Buffer.alloc(31), { mode: 0o600 })
  await mkdir(join(folder, 'folder'), { mode: 0o700 })
  await assert.rejects(readKeyFile(join(folder, 'absent')), failsWith('bad-key-file'))
  await assert.rejects(readKeyFile(join(folder, 'short')), failsWith('bad-key-file'))
  await assert.rejects(readKeyFile(join(folder, 'folder')), failsWith('bad-key-file'))
})

test('opens a vault with its passphrase, however the accents were typed, and with no other', async () => {
  const memory = new MemoryBackend()
  await (await createVault({ backend: memory, key: { passphrase: 'schl\u00fcssel' } })).close()
  await (await openVault({ backend: memory, key: { passphrase: 'schlu\u0308ssel' } })).close()
  await assert.rejects(
    openVault({ backend: memory, key: { passphrase: 'schlussel' } }),
    failsWith('wrong-key'),
  )
  await assert.rejects(openVault({ backend: memory, key: { passphrase: '' } }), failsWith('invalid-argument'))
})

test('refuses a passphrase for a vault that has a key file', async (t) => {
  const path = join(await temporaryFolder(t), 'vault.key')
  await createKeyFile(path)
  const backend = new MemoryBackend()
  await (await createVault({ backend, key: { file: path } })).close()
  await (await openVault({ backend, key: { file: path } })).close()
  await assert.rejects(openVault({ backend, key: { passphrase: 'x' } }), failsWith('wrong-key'))
})

test('refuses passphrase parameters that would take all memory', async () => {
  const parameters = { ...newPassphraseParameters(), memoryKibibytes: 2 ** 31 }
  await assert.rejects(keyFromPassphrase('x', parameters), failsWith('invalid-argument'))
})
