import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAllowedDestination } from './destinations.ts'

const allowed = ['/srv/restores', '//nas/Backups/acme', 'D:\\restored']

test('allows the folders that are named and what is below them, in every spelling', () => {
  for (const path of [
    '/srv/restores',
    '/srv/restores/',
    '/srv//restores/./files01',
    '/srv/restores/a/../b',
    '\\\\nas\\backups\\acme',
    '//NAS/backups/acme/2026',
    'smb://nas/Backups/acme/x/..',
    'd:/restored/now',
  ])
    assert.ok(isAllowedDestination(path, allowed), path)
})

test('refuses everything else', () => {
  for (const path of [
    '/srv',
    '/srv/restores2',
    '/srv/restores/../etc',
    '/etc/cron.d',
    'srv/restores',
    '//nas/backups',
    '//nas/backups/acme/../other',
    '//nas/backups/acme/../../../x',
    '//elsewhere/backups/acme',
    '\\\\nas\\other',
    'C:\\restored',
    'd:restored',
    '',
  ])
    assert.ok(!isAllowedDestination(path, allowed), path)
  assert.ok(!isAllowedDestination('/srv/restores', []))
})
