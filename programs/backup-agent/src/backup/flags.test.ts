import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseArgs } from 'node:util'
import { backupFlags, backupSettingsOf, backupUsage } from './flags.ts'
import { defaultBackupSettings } from './settings.ts'

const settingsFor = (...args: string[]) => backupSettingsOf(parseArgs({ args, options: backupFlags }).values)

test('without flags the settings are the defaults', () => {
  assert.deepEqual(settingsFor(), defaultBackupSettings)
})

test('a bandwidth is bytes a second, with units of 1024', () => {
  assert.equal(settingsFor('--bandwidth', '65536').bytesPerSecondMax, 65_536)
  assert.equal(settingsFor('--bandwidth', '500K').bytesPerSecondMax, 512_000)
  assert.equal(settingsFor('--bandwidth', '2G').bytesPerSecondMax, 2 ** 31)
  for (const wrong of ['', '0', '63K', '1.5M', '-1', '20m', '20MB', 'fast']) {
    assert.throws(
      () => settingsFor(`--bandwidth=${wrong}`),
      /--bandwidth must be bytes a second, at least 64K/,
      wrong,
    )
  }
})

test('volumes are named by paths and patterns, as often as one likes', () => {
  const { volumes } = settingsFor(
    '--image',
    '/a',
    '--image',
    '/b',
    '--include',
    '/dev/*',
    '--exclude',
    '/b#1',
  )
  assert.deepEqual(volumes, { images: ['/a', '/b'], include: ['/dev/*'], exclude: ['/b#1'] })
  assert.throws(() => settingsFor('--image', 'a'), /--image must be an absolute path .*, not a$/)
  assert.throws(
    () => settingsFor('--image', '/images/../a.raw'),
    /--image must be an absolute path .*, not \/images/,
  )
})

test('the usage names every flag', () => {
  for (const flag of Object.keys(backupFlags)) assert.match(backupUsage, new RegExp(`^  --${flag} `, 'm'))
})

test('changes are tracked when asked for, with a full read now and then', () => {
  assert.equal(settingsFor().tracking, undefined)
  assert.deepEqual(settingsFor('--track-changes').tracking, { fullReadEvery: 10 })
  assert.deepEqual(settingsFor('--track-changes', '--full-read-every', '1').tracking, { fullReadEvery: 1 })
  for (const wrong of ['0', '-1', '1.5', '10000', 'never', '']) {
    assert.throws(
      () => settingsFor('--track-changes', `--full-read-every=${wrong}`),
      /--full-read-every must be a whole number from 1 to 9999/,
      wrong,
    )
  }
  assert.throws(() => settingsFor('--full-read-every', '5'), /--full-read-every needs --track-changes/)
  assert.throws(() => settingsFor('--track-changes', '--no-snapshots'), /--track-changes needs snapshots/)
})
