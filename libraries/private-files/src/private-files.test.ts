import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import {
  mayBeReadByOthers,
  OpenToOthers,
  readPrivateFile,
  readUnforgedFile,
  refuseOpenFolder,
} from './index.ts'

const posix = { skip: process.platform === 'win32' ? 'Windows has no modes' : false }

function secretIn(t: TestContext): { folder: string; path: string } {
  const folder = mkdtempSync(join(tmpdir(), 'palisade-private-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'secret')
  writeFileSync(path, 'content', { mode: 0o600 })
  return { folder, path }
}

/** Every mode of group and others, beside what the owner may do. */
const modes = Array.from({ length: 0o100 }, (_, bits) => 0o600 | bits)

test('reads a file by its mode, for its owner alone, or its group, or all who may know it', posix, (t) => {
  const { path } = secretIn(t)
  const readers: [read: () => Buffer, allowed: number[]][] = [
    [() => readPrivateFile(path, 'owner'), [0o600]],
    [() => readPrivateFile(path, 'group-reads'), [0o600, 0o640]],
    [() => readUnforgedFile(path), modes.filter((mode) => (mode & 0o002) === 0)],
  ]
  let ran = 0
  for (const [read, allowed] of readers) {
    for (const mode of modes) {
      chmodSync(path, mode)
      if (allowed.includes(mode)) assert.equal(read().toString(), 'content', mode.toString(8))
      else assert.throws(read, OpenToOthers, mode.toString(8))
      ran++
    }
  }
  assert.equal(ran, readers.length * modes.length)
})

test('says what to do, and nothing of the content', posix, (t) => {
  const { folder, path } = secretIn(t)
  chmodSync(path, 0o666)
  assert.throws(() => readPrivateFile(path, 'owner'), {
    message: `${path} is open to others than its owner; use chmod 600 ${path}, and take what is in it for known to who may have read it`,
  })
  chmodSync(folder, 0o777)
  assert.throws(() => refuseOpenFolder(folder), new RegExp(`use chmod o-w ${folder}$`))
})

test('refuses a file in a folder to which others may write, unless that is sticky', posix, (t) => {
  const { folder, path } = secretIn(t)
  for (const read of [() => readPrivateFile(path, 'owner'), () => readUnforgedFile(path)]) {
    chmodSync(folder, 0o777)
    assert.throws(read, OpenToOthers)
    chmodSync(folder, 0o1777)
    assert.equal(read().toString(), 'content')
    chmodSync(folder, 0o775)
    assert.equal(read().toString(), 'content')
  }
})

test('refuses a folder of ours to which others may write, sticky or not', posix, (t) => {
  const { folder } = secretIn(t)
  for (const mode of [0o777, 0o1777, 0o702]) {
    chmodSync(folder, mode)
    assert.throws(() => refuseOpenFolder(folder), OpenToOthers)
  }
  for (const mode of [0o700, 0o750, 0o755, 0o2770]) {
    chmodSync(folder, mode)
    refuseOpenFolder(folder)
  }
})

test('looks where a link leads', posix, (t) => {
  const { folder, path } = secretIn(t)
  const open = join(folder, 'open')
  mkdirSync(open)
  const target = join(open, 'target')
  writeFileSync(target, 'content', { mode: 0o600 })
  const link = join(folder, 'link')
  symlinkSync(target, link)
  assert.equal(readPrivateFile(link, 'owner').toString(), 'content')
  chmodSync(open, 0o777)
  assert.throws(() => readPrivateFile(link, 'owner'), OpenToOthers)
  rmSync(link)
  symlinkSync(path, link)
  chmodSync(path, 0o604)
  assert.throws(() => readPrivateFile(link, 'owner'), OpenToOthers)
})

test('tells whether others may read a file', posix, (t) => {
  const { path } = secretIn(t)
  for (const mode of modes) {
    chmodSync(path, mode)
    assert.equal(mayBeReadByOthers(path), (mode & 0o004) !== 0, mode.toString(8))
  }
})

test('gives the error of the system where there is nothing', (t) => {
  const { folder } = secretIn(t)
  assert.throws(() => readPrivateFile(join(folder, 'none'), 'owner'), { code: 'ENOENT' })
  assert.throws(() => readUnforgedFile(folder), { code: 'EISDIR' })
})
