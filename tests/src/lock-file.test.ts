/** `npm ci`, which developers, containers and bots run, takes the lock file as it is: on this platform and from this registry. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from './support/repository/root.ts'

test('npm ci finds the lock file whole', () => {
  const { status, stderr } = spawnSync('npm', ['ci', '--dry-run', '--ignore-scripts', '--no-audit'], {
    cwd: root,
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
})

test('the lock file names the optional packages of other platforms', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const platforms = ['darwin', 'linux', 'win32']
  for (const platform of platforms) {
    const ofPlatform = Object.values(
      packages as Record<string, { os?: string[]; optional?: boolean }>,
    ).filter(({ os, optional }) => optional && os?.includes(platform))
    assert.ok(ofPlatform.length > 5, `${ofPlatform.length} of ${platform}`)
  }
})
