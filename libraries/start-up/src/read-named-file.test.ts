import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { FileFailure, readCertificates, readNamedFile } from './read-named-file.ts'

test('reads a file, and says of one that cannot be read what names it and why', (t) => {
  const home = mkdtempSync(join(tmpdir(), 'named-file-'))
  t.after(() => rmSync(home, { recursive: true }))
  const file = join(home, 'file')
  writeFileSync(file, 'text\n')
  symlinkSync('circle', join(home, 'circle'))
  assert.equal(readNamedFile(file, '--ca', 'everybody'), 'text\n')
  const cases = [
    [join(home, 'gone'), 'there is no such file'],
    [join(file, 'below'), 'a part of its path is a file, not a folder'],
    [home, 'it is a folder'],
    [join(home, 'circle'), 'it is a link that leads back to itself'],
  ] as const
  let ran = 0
  for (const [path, reason] of cases) {
    assert.throws(
      () => readNamedFile(path, '--ca', 'everybody'),
      (error) => {
        assert.ok(error instanceof FileFailure)
        assert.equal(error.message, `--ca names ${path}, which cannot be read: ${reason}`)
        return true
      },
    )
    ran++
  }
  assert.equal(ran, cases.length)
  const open = [
    ['owner', 0o640, /^--ca: .*file is open to others than its owner; use chmod 600 /],
    ['group-reads', 0o644, /^--ca: .*file is open to others than its owner and its group; use chmod 640 /],
    ['everybody', 0o646, /^--ca: .*file may be written by every user of this machine; .*chmod o-w /],
  ] as const
  for (const [readers, mode, message] of open) {
    chmodSync(file, mode)
    assert.throws(() => readNamedFile(file, '--ca', readers), { name: 'FileFailure', message })
  }
  assert.throws(() => readCertificates(file, '--ca'), { name: 'FileFailure', message: open[2][2] })
  chmodSync(file, 0o644)
  assert.throws(() => readCertificates(file, '--ca'), {
    message: `--ca names ${file}, which does not begin with a certificate in PEM`,
  })
})
