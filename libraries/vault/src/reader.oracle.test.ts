/** The reader in Python beside the format document, which is no code of ours in any sense, judges what we write. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createKeyFile, DirectoryBackend, deriveEndToEndKeys } from './index.ts'
import { noise } from './testing/noise.ts'
import { newVault, newVaultWithKeyFile, pythonWith, read } from './testing/python-reader.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'
import { addVolume, backUp, exampleVolume } from './testing/volume.ts'

test('a reader in Python restores revisions of several domains with a key file', async (t) => {
  const python = pythonWith(t, 'cryptography', 'zstandard')
  if (!python) return
  const { keyFile, vaultFolder, vault } = await newVaultWithKeyFile(t)
  const volumes = [
    ['acme/0001', '1', exampleVolume('a', 4096, 40)],
    ['acme/0001', '2', exampleVolume('b', 4096, 33)],
    ['ümläut/0002', 'x.y-z', noise('c', 10_000)],
    ['ümläut/0002', 'zeros', Buffer.alloc(50_000)],
    ['ümläut/0002', 'nothing', Buffer.alloc(0)],
  ] as const
  for (const [domain, revision, volume] of volumes) await backUp(vault, domain, revision, volume)
  // What a collection has moved is read like everything else.
  await backUp(vault, 'acme/0001', 'gone', exampleVolume('gone', 4096, 40))
  await vault.deleteRevision('acme/0001', 'gone')
  await vault.collect({ liveFractionMin: 1 })
  await vault.close()

  const listed = read(python, '', vaultFolder, '--key-file', keyFile, 'list')
  const lines = listed.output.toString().trim().split('\n')
  const names = lines.map((line) => JSON.parse(line)).map(({ domain, revision }) => `${domain} ${revision}`)
  assert.deepEqual(names.sort(), volumes.map(([domain, revision]) => `${domain} ${revision}`).sort())
  for (const [domain, revision, volume] of volumes) {
    const { output, errors, ok } = read(
      python,
      '',
      vaultFolder,
      '--key-file',
      keyFile,
      'read',
      domain,
      revision,
    )
    assert.ok(ok, errors)
    assert.ok(output.equals(volume), `${domain} ${revision}`)
  }
})

test('a reader in Python lists revisions beside a computer that has none, and a vault without computers', async (t) => {
  const python = pythonWith(t, 'cryptography', 'zstandard')
  if (!python) return
  const { keyFile, vaultFolder, vault } = await newVaultWithKeyFile(t)
  const list = () => read(python, '', vaultFolder, '--key-file', keyFile, 'list')
  assert.deepEqual(list(), { output: Buffer.alloc(0), errors: '', ok: true })
  // The first backup of this one was interrupted.
  const session = await vault.beginBackup('acme/0002')
  await addVolume(vault, session, 'acme/0002', exampleVolume('b', 4096, 40))
  await session.abort()
  await backUp(vault, 'acme/0001', '1', exampleVolume('a', 4096, 10))
  await backUp(vault, 'acme/0003', 'zeros', Buffer.alloc(50_000))
  await vault.close()
  const { output, errors, ok } = list()
  assert.ok(ok, errors)
  const revisions = output
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).revision)
  assert.deepEqual(revisions.sort(), ['1', 'zeros'])
  const zeros = read(python, '', vaultFolder, '--key-file', keyFile, 'read', 'acme/0003', 'zeros')
  assert.ok(zeros.output.equals(Buffer.alloc(50_000)), zeros.errors)
})

test('a reader in Python lists what revisions are of, and whatever else their makers have kept with them', async (t) => {
  const python = pythonWith(t, 'cryptography', 'zstandard')
  if (!python) return
  const { keyFile, vaultFolder, vault } = await newVaultWithKeyFile(t)
  const source = { path: '/dev/disk/by-id/usb-1', partition: 3 }
  const volume = {
    label: 'Büro',
    fileSystem: 'ntfs',
    isBoot: false,
    sourcePath: '/dev/sdb',
    placement: { number: 3 },
  }
  const entries = {
    whole: { backupId: 'b', commit: { volume }, origin: { source, hostName: 'FILES01', setName: 'nightly' } },
    earlier: { backupId: 'b', commit: { volume: { ...volume, placement: null } } },
    other: ['of', 'another', { program: 1 }],
    later: { commit: 7, origin: [], more: true },
    nothing: null,
  }
  for (const [revision, metadata] of Object.entries(entries)) {
    await backUp(vault, 'acme/0001', revision, Buffer.alloc(4096), undefined, metadata)
  }
  await vault.close()
  const { output, errors, ok } = read(python, '', vaultFolder, '--key-file', keyFile, 'list')
  assert.ok(ok, errors)
  const lines = output.toString().trim().split('\n')
  const sentences = lines
    .map((line) => JSON.parse(line))
    .map(({ revision, domain, volume: id, capacityBytes, createdMs, ...of }) => {
      assert.deepEqual([domain, id, capacityBytes, typeof createdMs], ['acme/0001', 'disk', 4096, 'number'])
      return [revision, of]
    })
  const { placement, ...ofVolume } = volume
  assert.deepEqual(Object.fromEntries(sentences), {
    whole: { ...ofVolume, partition: placement.number, source, hostName: 'FILES01', setName: 'nightly' },
    earlier: ofVolume,
    other: {},
    later: {},
    nothing: {},
  })
})

test('a reader in Python restores with a passphrase, also after it was changed', async (t) => {
  const python = pythonWith(t, 'cryptography', 'zstandard', 'argon2')
  if (!python) return
  const folder = join(await temporaryFolder(t), 'vault')
  const vault = await newVault(folder, { passphrase: 'first' })
  const volume = exampleVolume('a', 4096, 10)
  await backUp(vault, 'acme/0001', '1', volume)
  await vault.addKey({ passphrase: 'another' })
  await vault.replaceKey({ passphrase: 'first' }, { passphrase: 'schl\u00fcssel' })
  await vault.close()
  const restored = (passphrase: string) =>
    read(python, `${passphrase}\n`, folder, '--passphrase', 'read', 'acme/0001', '1')
  assert.ok(restored('schlu\u0308ssel').output.equals(volume))
  assert.ok(restored('another').output.equals(volume))
  assert.equal(restored('first').ok, false)
})

test("a reader in Python opens what was sealed end to end with the computer's key, and not with the vault's alone", async (t) => {
  const python = pythonWith(t, 'cryptography', 'zstandard')
  if (!python) return
  const folder = await temporaryFolder(t)
  const [keyFile, ownFile, otherFile] = ['key', 'own', 'other'].map((name) => join(folder, name))
  assert.ok(keyFile && ownFile && otherFile)
  await createKeyFile(keyFile)
  await createKeyFile(otherFile)
  const own = deriveEndToEndKeys(await createKeyFile(ownFile), 'acme/0001')
  const vaultFolder = join(folder, 'vault')
  const vault = await newVault(vaultFolder, { file: keyFile })
  const { marking } = vault.verificationKeys('acme/0001')
  const volume = exampleVolume('a', 4096, 20)
  await backUp(vault, 'acme/0001', '1', exampleVolume('b', 4096, 20))
  await backUp(vault, 'acme/0001', '2', volume, { ...own.chunks, marking })
  await vault.close()
  const restored = (revision: string, ...more: string[]) =>
    read(python, '', vaultFolder, '--key-file', keyFile, ...more, 'read', 'acme/0001', revision)
  const refused = restored('2')
  assert.equal(refused.ok, false)
  assert.match(refused.errors, /sealed end to end/)
  assert.equal(restored('2', '--end-to-end-key-file', otherFile).ok, false)
  assert.equal(restored('2', '--end-to-end-key-file', keyFile).ok, false)
  assert.ok(restored('2', '--end-to-end-key-file', ownFile).output.equals(volume))
  assert.ok(restored('1').output.equals(exampleVolume('b', 4096, 20)))
})

test('a reader in Python refuses what was changed', async (t) => {
  const python = pythonWith(t, 'cryptography', 'zstandard')
  if (!python) return
  const { keyFile, vaultFolder, vault } = await newVaultWithKeyFile(t)
  await backUp(vault, 'acme/0001', '1', noise('a', 8 * 4096))
  await vault.close()
  const names = (await new DirectoryBackend(vaultFolder).list('domains/')).filter(
    (name) => !name.includes('/index/'),
  )
  assert.equal(names.length, 3)
  for (const name of names.filter((each) => !each.endsWith('/domain'))) {
    const path = join(vaultFolder, name)
    const content = await readFile(path)
    for (const fraction of [0.1, 0.5, 0.9]) {
      const changed = Buffer.from(content)
      const place = Math.floor(content.length * fraction)
      changed[place] = (changed[place] ?? 0) ^ 1
      await writeFile(path, changed)
      assert.equal(
        read(python, '', vaultFolder, '--key-file', keyFile, 'read', 'acme/0001', '1').ok,
        false,
        name,
      )
    }
    await writeFile(path, content)
  }
  assert.ok(read(python, '', vaultFolder, '--key-file', keyFile, 'read', 'acme/0001', '1').ok)
})
