import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { isVaultFailure, type VaultFailureCode } from '../failure.ts'
import { createKeyFile } from '../keys/key-file.ts'
import { keyFromPassphrase, newPassphraseParameters } from '../keys/passphrase.ts'
import { readObject } from '../storage/backend.ts'
import { MemoryBackend } from '../storage/memory-backend.ts'
import { type Fate, FaultyBackend } from '../testing/faulty-backend.ts'
import { noise } from '../testing/noise.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { backUp, exampleVolume, restore } from '../testing/volume.ts'
import { keyCheckOf } from './configuration.ts'
import { createVault, openVault } from './open-vault.ts'

const chunkSizeBytes = 4096
const domain = 'acme/0001'
const volume = exampleVolume('a', chunkSizeBytes, 12)
const key = { bytes: noise('key', 32) }
const failsWith = (code: VaultFailureCode) => (error: unknown) => isVaultFailure(error, code)

async function vaultWithRevision(
  backend: MemoryBackend,
  source: { bytes: Uint8Array } | { passphrase: string },
) {
  const vault = await createVault({ backend, key: source, chunkSizeBytes })
  await backUp(vault, domain, '1', volume)
  return vault
}

test('changes its passphrase without touching the data', async () => {
  const backend = new MemoryBackend()
  const vault = await vaultWithRevision(backend, { passphrase: 'old' })
  const contentOf = async () => {
    const names = (await backend.list('domains/')).filter((name) => !name.includes('/index/'))
    return Promise.all(names.sort().map(async (name) => [name, await readObject(backend, name)]))
  }
  const before = await contentOf()
  await assert.rejects(
    vault.replaceKey({ passphrase: 'wrong' }, { passphrase: 'new' }),
    failsWith('wrong-key'),
  )
  await vault.replaceKey({ passphrase: 'old' }, { passphrase: 'new' })
  await vault.close()
  assert.deepEqual(await contentOf(), before)
  await assert.rejects(openVault({ backend, key: { passphrase: 'old' } }), failsWith('wrong-key'))
  const reopened = await openVault({ backend, key: { passphrase: 'new' } })
  assert.ok((await restore(reopened, domain, '1')).equals(volume))
  assert.deepEqual(await reopened.check({ readData: true }), [])
})

test('says which of its keys a key is, and of another one that it is none', async () => {
  const vault = await vaultWithRevision(new MemoryBackend(), key)
  const added = await vault.addKey({ passphrase: 'second' }, 'in the safe')
  assert.deepEqual(await vault.findKey({ passphrase: 'second' }), added)
  assert.deepEqual(await vault.findKey(key), vault.keys()[0])
  assert.equal(await vault.findKey({ passphrase: 'third' }), undefined)
  assert.equal(await vault.findKey({ bytes: noise('other', 32) }), undefined)
})

test('is opened by each of several keys, and no more by one that was taken away', async (t) => {
  const backend = new MemoryBackend()
  const file = join(await temporaryFolder(t), 'second.key')
  await createKeyFile(file)
  const vault = await vaultWithRevision(backend, key)
  const added = await vault.addKey({ passphrase: 'for emergencies' }, 'in the safe')
  await vault.addKey({ file }, 'second server')
  assert.deepEqual(
    vault.keys().map(({ kind, label }) => [kind, label]),
    [
      ['key-file', ''],
      ['passphrase', 'in the safe'],
      ['key-file', 'second server'],
    ],
  )
  await vault.close()
  for (const source of [key, { passphrase: 'for emergencies' }, { file }]) {
    const opened = await openVault({ backend, key: source })
    assert.ok((await restore(opened, domain, '1')).equals(volume))
    await opened.close()
  }
  const changing = await openVault({ backend, key })
  await changing.removeKey(added.id)
  await assert.rejects(changing.removeKey(added.id), failsWith('invalid-argument'))
  await changing.close()
  await assert.rejects(openVault({ backend, key: { passphrase: 'for emergencies' } }), failsWith('wrong-key'))
  await (await openVault({ backend, key: { file } })).close()
})

test('keeps its last key, and takes no more than sixteen', async () => {
  const vault = await createVault({ backend: new MemoryBackend(), key, chunkSizeBytes })
  await assert.rejects(vault.removeKey(vault.keys()[0]?.id ?? ''), failsWith('invalid-argument'))
  for (let index = 1; index < 16; index++) await vault.addKey({ bytes: noise(`${index}`, 32) })
  await assert.rejects(vault.addKey({ bytes: noise('16', 32) }), failsWith('invalid-argument'))
  await assert.rejects(vault.addKey({ passphrase: '' }), failsWith('invalid-argument'))
  assert.equal(vault.keys().length, 16)
})

test('says nothing secret about its keys', async () => {
  const backend = new MemoryBackend()
  const vault = await createVault({ backend, key: { passphrase: 'very secret' }, chunkSizeBytes })
  assert.deepEqual(Object.keys(vault.keys()[0] ?? {}).sort(), ['createdMs', 'id', 'kind', 'label'])
  assert.doesNotMatch(String(await readObject(backend, 'vault.json')), /very secret/)
})

test('has the former keys or the new ones when its process ends during a change', async () => {
  for (let survived = 0; survived < 3; survived++) {
    for (const fate of ['refused', 'done-but-refused'] as const) {
      const memory = new MemoryBackend()
      await (await vaultWithRevision(memory, key)).close()
      let changes = 0
      const decide = (operation: string): Fate => {
        if (!operation.includes('vault.')) return 'done'
        return ++changes <= survived ? 'done' : fate
      }
      const other = { bytes: noise('other', 32) }
      const vault = await openVault({ backend: new FaultyBackend(memory, decide), key })
      const changed = await vault.replaceKey(key, other).then(
        () => true,
        () => false,
      )
      const crashed = memory.afterCrash()
      const opened: boolean[] = []
      for (const source of [key, other]) {
        const reopened = await openVault({ backend: crashed.afterCrash(), key: source }).catch(
          () => undefined,
        )
        opened.push(reopened !== undefined)
        if (reopened) assert.ok((await restore(reopened, domain, '1')).equals(volume))
      }
      assert.equal(opened.filter(Boolean).length, 1, `${survived} ${fate}`)
      if (changed) assert.deepEqual(opened, [false, true])
    }
  }
})

test('opens with the copy of a configuration that is damaged or gone, and makes it good', async () => {
  const damages = [
    (content: Buffer) => content.subarray(0, 40),
    (content: Buffer) => Buffer.from(content.toString().replace(/"sealed": "../, '"sealed": "zz')),
    (content: Buffer) => Buffer.from(content.toString().replace(/"keyCheck": "../, '"keyCheck": "zz')),
    () => undefined,
  ]
  let ran = 0
  for (const name of ['vault.json', 'vault.copy.json']) {
    for (const damage of damages) {
      const backend = new MemoryBackend()
      await (await vaultWithRevision(backend, key)).close()
      const content = await readObject(backend, name)
      assert.ok(content)
      const damaged = damage(content)
      if (damaged) await backend.put(name, damaged)
      else await backend.delete(name)
      const vault = await openVault({ backend, key })
      assert.ok((await restore(vault, domain, '1')).equals(volume))
      assert.deepEqual(await readObject(backend, name), content)
      ran++
    }
  }
  assert.equal(ran, 8)
})

test('does not open with a key that only an older copy still has', async () => {
  const backend = new MemoryBackend()
  const vault = await vaultWithRevision(backend, key)
  const older = await readObject(backend, 'vault.copy.json')
  await vault.replaceKey(key, { bytes: noise('new', 32) })
  await vault.close()
  await backend.put('vault.copy.json', older ?? Buffer.alloc(0))
  await assert.rejects(openVault({ backend, key }), failsWith('wrong-key'))
})

test('notices a configuration that is damaged while the vault is open, and repairs it', async () => {
  const backend = new MemoryBackend()
  const vault = await vaultWithRevision(backend, key)
  await backend.delete('vault.json')
  assert.deepEqual(
    (await vault.check()).map(({ code, object }) => [code, object]),
    [['configuration-damaged', 'vault.json']],
  )
  await vault.repair()
  assert.deepEqual(await vault.check(), [])
})

/** A vault as version 1 of the format had it: the key is the master key itself. */
async function intoVersionOne(backend: MemoryBackend, passphrase: string | undefined): Promise<Uint8Array> {
  const parameters = passphrase === undefined ? null : newPassphraseParameters()
  const master =
    passphrase !== undefined && parameters ? await keyFromPassphrase(passphrase, parameters) : key.bytes
  const id = 'f3b0a1a0-0000-4000-8000-000000000001'
  const json = {
    format: 'palisade-vault',
    version: 1,
    id,
    chunkSizeBytes,
    passphrase: parameters,
    keyCheck: keyCheckOf(master, id, chunkSizeBytes),
  }
  await backend.put('vault.json', Buffer.from(JSON.stringify(json)))
  return master
}

for (const source of [key, { passphrase: 'first' }]) {
  const kind = 'bytes' in source ? 'a key file' : 'a passphrase'
  test(`opens a vault of version 1 with ${kind}, and changes its key`, async () => {
    const backend = new MemoryBackend()
    await intoVersionOne(backend, 'passphrase' in source ? source.passphrase : undefined)
    const vault = await openVault({ backend, key: source })
    await backUp(vault, domain, '1', volume)
    assert.equal(vault.keys().length, 1)
    await vault.close()
    await assert.rejects(openVault({ backend, key: { bytes: noise('other', 32) } }), failsWith('wrong-key'))
    const changing = await openVault({ backend, key: source })
    await changing.replaceKey(source, { passphrase: 'second' })
    await changing.close()
    const changed = await openVault({ backend, key: { passphrase: 'second' } })
    assert.ok((await restore(changed, domain, '1')).equals(volume))
    await changed.close()
    await assert.rejects(openVault({ backend, key: source }), failsWith('wrong-key'))
  })
}
