import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSharePath, parseSharePath, uncOf } from './share-path.ts'

test('reads every spelling of a folder on a share', () => {
  const paths = {
    '\\\\server\\share': '\\\\server\\share',
    '\\\\server\\share\\': '\\\\server\\share',
    '//server/share/a/b': '\\\\server\\share\\a\\b',
    'smb://server/share/a b': '\\\\server\\share\\a b',
    'SMB://server/share//a/./b/../c': '\\\\server\\share\\a\\c',
    '\\\\10.0.0.1\\d$\\x': '\\\\10.0.0.1\\d$\\x',
    '//server/share\\mixed': '\\\\server\\share\\mixed',
  }
  for (const [path, unc] of Object.entries(paths)) {
    assert.ok(isSharePath(path), path)
    assert.equal(uncOf(parseSharePath(path)), unc, path)
  }
  assert.equal(uncOf(parseSharePath('//server/share/a'), 'disk.vhdx'), '\\\\server\\share\\a\\disk.vhdx')
})

test('paths of this computer are no shares', () => {
  for (const path of ['/srv/x', 'C:\\x', 'relative', '']) assert.ok(!isSharePath(path), path)
})

test('refuses paths that lead nowhere, or out of the share', () => {
  const paths = [
    ...[
      '\\\\',
      '\\\\server',
      '//server/',
      '///share',
      'smb:',
      'smb://server',
      '\\\\?\\C:\\x',
      '\\\\.\\share',
    ],
    ...['//server/share/..', '//server/share/a/../../b', '//server/share/a"b', '//server/share/a\nrm *'],
    ...['//server/sh:are', '//server/share/a|b', '//ser*ver/share', '//server/share/\ud800'],
  ]
  for (const path of paths) {
    assert.throws(() => parseSharePath(path), { code: 'BackupSetActions_NetworkPathNotFound' }, path)
  }
})
