import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { someVolume } from '../testing/fake-agent.ts'
import { diskFileName } from './file-name.ts'

const revision = (label: string, driveLetter = '') => ({
  id: 12,
  volume: { ...someVolume, label, driveLetter },
  createdAt: 0,
  chunkSizeBytes: 1,
  chunkCount: 1,
})

test('a disk is named after the computer, the volume and the revision', () => {
  assert.equal(diskFileName('files01', revision('Archive')), 'files01-Archive-12')
  assert.equal(diskFileName('files01', revision('', 'F:')), 'files01-F-12')
  assert.equal(diskFileName('Büro', revision('Daten (alt) 2')), 'Büro-Daten-alt-2-12')
  assert.equal(diskFileName('a', revision('e\u0301')), 'a-\u00e9-12')
  assert.equal(diskFileName('..', revision('../../etc/passwd')), 'computer-etc-passwd-12')
})

test('whatever the computer and the volume are called, every file system takes the name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (computer, label) => {
      const name = diskFileName(computer, revision(label))
      assert.match(name, /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]*-12$/u)
      assert.ok(Buffer.byteLength(`${name}-999.vhdx`) < 255)
      assert.ok(name.isWellFormed())
    }),
  )
})
