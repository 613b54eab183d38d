import assert from 'node:assert/strict'
import { test } from 'node:test'
import { destinationKind } from './destination-kind.ts'

test('tells local, remote and impossible paths apart', () => {
  const local = ['/', '/x', '/x/../y', '/with space', 'C:\\', 'c:/', 'Z:\\a\\b', 'C:\\a/b']
  const remote = [
    '\\\\server\\share',
    '\\\\server\\share\\',
    '\\\\server\\share\\a\\b',
    '\\\\10.0.0.1\\d$\\x',
    '//server/share',
    '//server/share/x',
    'smb://server/share',
    'SMB://server/share/x',
    '\\\\.server\\share',
  ]
  const neither = [
    ...['', ' ', '.', '..', 'x', 'x/y', './x', '~/x', 'C:', 'C:x', 'CC:\\x', '1:\\x', '\\x'],
    ...['\\\\', '\\\\server', '\\\\server\\', '\\\\\\share', '//', '//server', '//server/', '///x'],
    ...['\\\\?\\C:\\x', '\\\\.\\PhysicalDrive0', '\\\\?\\UNC\\server\\share', '//?/C:/x'],
    ...['smb:', 'smb://', 'smb://server', 'smb:/server/share', 'http://server/share', 'file:///x'],
    ...['/x\0y', '/x\ny', 'C:\\x\u0007', '/\ud800'],
  ]
  for (const path of local) assert.equal(destinationKind(path), 'local', path)
  for (const path of remote) assert.equal(destinationKind(path), 'remote', path)
  for (const path of neither) assert.equal(destinationKind(path), undefined, path)
})
