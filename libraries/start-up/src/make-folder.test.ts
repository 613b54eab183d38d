import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { FolderFailure, makeFolder, makePrivateFolder } from './make-folder.ts'

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'folders-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function refused(path: string): string {
  let message = ''
  assert.throws(
    () => makeFolder(path, '--state'),
    (error) => {
      assert.ok(error instanceof FolderFailure, String(error))
      message = error.message
      return true
    },
    path,
  )
  return message
}

test('makes a folder and those above it for their owner alone, and takes one that is there', (t) => {
  const folder = join(temporaryFolder(t), 'deep', 'data')
  assert.equal(makeFolder(folder, 'dataDirectory'), folder)
  assert.equal(makeFolder(folder, 'dataDirectory'), folder)
  for (const one of [folder, join(folder, '..')]) assert.equal(statSync(one).mode & 0o777, 0o700)
})

test('takes a private one that is there only when others may not write in it', (t) => {
  const folder = join(temporaryFolder(t), 'data')
  assert.equal(makePrivateFolder(folder, 'dataDirectory'), folder)
  chmodSync(folder, 0o757)
  assert.throws(() => makePrivateFolder(folder, 'dataDirectory'), {
    name: 'FolderFailure',
    message: /^dataDirectory: the folder \S+\/data may be written by every user of this machine/,
  })
})

test('follows links on the way, also those of a relative path', (t) => {
  const home = temporaryFolder(t)
  mkdirSync(join(home, 'disk'))
  symlinkSync('disk', join(home, 'link'))
  const before = process.cwd()
  t.after(() => process.chdir(before))
  process.chdir(home)
  makeFolder('./link/deep/data', 'dataDirectory')
  assert.deepEqual(readdirSync(join(home, 'disk', 'deep')), ['data'])
  makeFolder('link', 'dataDirectory')
})

test('ends where the system makes nothing, and says where', () => {
  let ran = 0
  for (const path of ['/proc/x', '/proc/self/x/y', '/proc/x/y/z']) {
    assert.match(
      refused(path),
      new RegExp(`^--state names ${path}, which cannot be used: the system makes nothing in /proc`),
    )
    ran++
  }
  assert.equal(ran, 3)
  assert.match(refused('/sys/x'), /which cannot be used: (this user may not write in|\/sys is)/)
})

test('says what is in the way', (t) => {
  const home = temporaryFolder(t)
  const file = join(home, 'file')
  writeFileSync(file, '')
  symlinkSync('nowhere', join(home, 'dangling'))
  symlinkSync('circle', join(home, 'circle'))
  const because = (path: string) => refused(join(home, path)).split(' which cannot be used: ')[1]
  assert.equal(because('file'), `${file} is a file`)
  assert.equal(because('file/below/more'), `${file} is a file`)
  assert.equal(because('dangling'), `${home}/dangling is a link to nowhere, which is not there or no folder`)
  assert.equal(
    because('dangling/below'),
    `${home}/dangling is a link to nowhere, which is not there or no folder`,
  )
  assert.equal(because('circle'), `${home}/circle is a link to circle, which is not there or no folder`)
  assert.equal(because('circle/below'), `${home}/circle has a link in it that leads back to itself`)
  assert.equal(because('x'.repeat(300)), 'the name is too long')
  assert.deepEqual(readdirSync(home).sort(), ['circle', 'dangling', 'file'])
})

test('says that this user may not write', (t) => {
  const home = temporaryFolder(t)
  const closed = join(home, 'closed')
  mkdirSync(closed, { mode: 0o555 })
  chmodSync(home, 0o755)
  assert.equal(
    asNobody(() => refused(join(closed, 'deep', 'data'))),
    `--state names ${closed}/deep/data, which cannot be used: this user may not write in ${closed}`,
  )
})

test('says that a file system is read-only', (t) => {
  const home = temporaryFolder(t)
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', home])
  if (status !== 0) {
    t.skip('nothing can be mounted here')
    return
  }
  try {
    assert.equal(
      refused(join(home, 'data')),
      `--state names ${home}/data, which cannot be used: ${home} is on a file system that is read-only`,
    )
  } finally {
    spawnSync('umount', [home])
  }
})

/** Root may write anywhere. */
function asNobody<Result>(act: () => Result): Result {
  if (process.geteuid?.() !== 0) return act()
  process.seteuid?.('nobody')
  try {
    return act()
  } finally {
    process.seteuid?.(0)
  }
}
