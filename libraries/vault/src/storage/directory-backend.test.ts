import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rename, rm, rmdir, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isVaultFailure } from '../failure.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { testBackendConformance } from './backend-conformance.ts'
import { DirectoryBackend } from './directory-backend.ts'

testBackendConformance('directory', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'palisade-vault-'))
  const again = () => new DirectoryBackend(folder)
  return { backend: again(), again, remove: () => rm(folder, { recursive: true, force: true }) }
})

test('keeps objects and folders to their owner', { skip: process.platform === 'win32' }, async (t) => {
  const folder = await temporaryFolder(t)
  await new DirectoryBackend(folder).put('x/object', Buffer.alloc(1))
  assert.equal((await stat(join(folder, 'x'))).mode & 0o777, 0o700)
  assert.equal((await stat(join(folder, 'x/object'))).mode & 0o777, 0o600)
})

test('says what it was doing when the file system refuses, and leaves nothing of it', async (t) => {
  const folder = await temporaryFolder(t)
  const backend = new DirectoryBackend(folder)
  await backend.put('x', Buffer.alloc(1))
  // The larger one is written past the system's cache.
  for (const lengthBytes of [1, 5 * 1024 * 1024]) {
    await assert.rejects(
      backend.put('x/below-a-file', Buffer.alloc(lengthBytes)),
      (error) => isVaultFailure(error, 'storage') && /flushing x\/below-a-file/.test(error.message),
    )
    assert.deepEqual(await readdir(join(folder, '.unfinished')), [])
  }
  assert.deepEqual(await backend.list(''), ['x'])
})

test('takes a folder that was emptied, or unmounted, for one that is away and not for one without objects', async (t) => {
  const folder = await temporaryFolder(t)
  const backend = new DirectoryBackend(folder)
  await backend.put('first', Buffer.alloc(1))
  await backend.put('second', Buffer.alloc(1))
  await backend.put('pack', Buffer.alloc(1))
  backend.relyOn(['first', 'second'])
  await backend.delete('first')
  await backend.put('more', Buffer.alloc(1))
  const begun = await backend.create('begun')
  const aside = `${folder}-aside`
  await rename(folder, aside)
  await mkdir(folder)
  const away = (error: unknown) =>
    isVaultFailure(error, 'storage') && /emptied, replaced or unmounted/.test(error.message)
  await assert.rejects(backend.put('x', Buffer.alloc(1)), away)
  await assert.rejects(backend.putNew('x', Buffer.alloc(1)), away)
  await assert.rejects(backend.read('pack', 0, Buffer.alloc(1)), away)
  await assert.rejects(backend.sizeBytes('pack'), away)
  await assert.rejects(backend.list(''), away)
  await assert.rejects(backend.delete('pack'), away)
  await assert.rejects(begun.commit(), away)
  await begun.abort()
  assert.deepEqual(await readdir(folder), [])
  await rmdir(folder)
  await rename(aside, folder)
  await backend.put('x', Buffer.alloc(1))
  assert.deepEqual((await backend.list('')).sort(), ['more', 'pack', 'second', 'x'])
})

test('tells a bad place in an object from a storage that does not answer', async (t) => {
  if (process.platform !== 'linux') return t.skip('only Linux has a file that cannot be read')
  const folder = await temporaryFolder(t)
  const backend = new DirectoryBackend(folder)
  // The first page of a process is nobody's: reading it is an input/output error.
  await symlink('/proc/self/mem', join(folder, 'object'))
  for (const lengthBytes of [10, 1024 * 1024]) {
    await assert.rejects(
      backend.read('object', 0, Buffer.alloc(lengthBytes)),
      (error) => isVaultFailure(error, 'damaged') && /object .* cannot be read/.test(error.message),
    )
  }
  await rm(join(folder, '.unfinished'), { recursive: true })
  await writeFile(join(folder, '.unfinished'), 'in the way of whatever is written')
  await assert.rejects(backend.read('object', 0, Buffer.alloc(10)), (error) =>
    isVaultFailure(error, 'storage'),
  )
})
