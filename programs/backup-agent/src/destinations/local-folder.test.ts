import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { LocalFolder, type Naming } from './local-folder.ts'

const withoutHardLinks: Naming = {
  link: () => Promise.reject(Object.assign(new Error('not on FAT'), { code: 'EPERM' })),
}

test('is made with all its parents', async (t) => {
  const path = join(temporaryDirectory(t), 'a', 'b', 'c')
  const folder = new LocalFolder(path)
  await folder.prepare()
  await folder.prepare()
  assert.ok(statSync(path).isDirectory())
  assert.ok((await folder.freeBytes()) > 0)
})

test('a partial file is for the owner alone, and replaces what an earlier run left', async (t) => {
  const folder = new LocalFolder(temporaryDirectory(t))
  const partial = join(folder.folder, '.disk.partial')
  writeFileSync(partial, 'left over')
  const file = await folder.createPartial(partial)
  await file.close()
  assert.deepEqual([statSync(partial).size, statSync(partial).mode & 0o777], [0, 0o600])
  await folder.removePartial(partial)
  await folder.removePartial(partial)
  assert.ok(!existsSync(partial))
})

test('a partial file is not written through a link that somebody laid in its place', async (t) => {
  const directory = temporaryDirectory(t)
  const precious = join(directory, 'precious')
  writeFileSync(precious, 'precious')
  const folder = new LocalFolder(join(directory, 'target'))
  await folder.prepare()
  const partial = join(folder.folder, '.disk.partial')
  symlinkSync(precious, partial)
  const file = await folder.createPartial(partial)
  await file.write('data')
  await file.close()
  assert.equal(readFileSync(precious, 'utf8'), 'precious')
})

for (const [name, naming] of [
  ['with hard links', undefined],
  ['without hard links', withoutHardLinks],
] as const) {
  test(`gives a name that is free, and never one that is taken, ${name}`, async (t) => {
    const folder = new LocalFolder(temporaryDirectory(t), naming === undefined ? {} : { naming })
    const [partial, taken, free] = ['.disk.partial', 'taken', 'free'].map((file) => join(folder.folder, file))
    assert.ok(partial !== undefined && taken !== undefined && free !== undefined)
    writeFileSync(partial, 'disk')
    writeFileSync(taken, 'somebody else')
    assert.equal(await folder.giveName(partial, taken, false), false)
    assert.equal(readFileSync(taken, 'utf8'), 'somebody else')
    assert.equal(await folder.giveName(partial, free, false), true)
    assert.equal(readFileSync(free, 'utf8'), 'disk')
    assert.ok(!existsSync(partial))
  })

  test(`a name is not given through a link that leads nowhere, ${name}`, async (t) => {
    const folder = new LocalFolder(temporaryDirectory(t), naming === undefined ? {} : { naming })
    const [partial, dangling] = [join(folder.folder, '.disk.partial'), join(folder.folder, 'dangling')]
    writeFileSync(partial, 'disk')
    symlinkSync(join(folder.folder, 'elsewhere'), dangling)
    assert.equal(await folder.giveName(partial, dangling, false), false)
    assert.ok(!existsSync(join(folder.folder, 'elsewhere')))
  })
}

test('says in the words of the specification what is wrong with a destination', async (t) => {
  const directory = temporaryDirectory(t)
  const file = join(directory, 'file')
  writeFileSync(file, '')
  const createFolderFailed = { name: 'TaskFailure', code: 'CreateFolderFailed' }
  for (const path of [file, join(file, 'below'), '/proc/no-such', '/sys/kernel/no-such']) {
    await assert.rejects(new LocalFolder(path).prepare(), createFolderFailed, path)
  }
  const noFolder = new LocalFolder(join(directory, 'gone'))
  await assert.rejects(noFolder.createPartial(join(noFolder.folder, '.x.partial')), createFolderFailed)
  for (const path of ['relative', 'C:\\restored', '/x\0y'])
    assert.throws(() => new LocalFolder(path), createFolderFailed)
})

test('a read-only file system is a folder that cannot be made', async (t) => {
  // Root may write anywhere; a read-only file system refuses even root.
  const readOnly = '/sys/fs'
  if (!existsSync(readOnly)) return t.skip('there is no read-only file system here')
  const folder = new LocalFolder(readOnly)
  await assert.rejects(folder.createPartial(join(readOnly, '.x.partial')), { code: 'CreateFolderFailed' })
})

test('makes nothing of an existing folder but what it was', async (t) => {
  const path = join(temporaryDirectory(t), 'mine')
  mkdirSync(path, { mode: 0o755 })
  await new LocalFolder(path).prepare()
  assert.equal(statSync(path).mode & 0o777, 0o755)
})
