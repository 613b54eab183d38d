import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Outcome } from '@palisade/agent-protocol'
import { TestAgent } from '../testing/agent/test-agent.ts'
import { writeVolumeImage } from '../testing/volumes/volume-image.ts'
import { AllowedDestinations } from './allowed-destinations.ts'

/** An agent whose owner says where restores may go, with a revision to restore. */
async function setUp(t: TestContext, restoreTo: (directory: string) => readonly string[]) {
  const agent = await TestAgent.prepare(t)
  const image = join(agent.directory, 'image.raw')
  writeVolumeImage(image, 3 * 1024 * 1024)
  await agent.start({ restoreTo: restoreTo(agent.directory) })
  const revision = await agent.server.backUp('b1', { path: image })
  let restores = 0
  const restore = (path: string) => agent.server.restore(`r${restores++}`, path, 'Vhdx', [revision])
  return { agent, restore }
}

function refusalOf(outcome: Outcome): string {
  assert.ok(outcome.state === 'ERROR', JSON.stringify(outcome))
  assert.equal(outcome.code, 'CreateFolderFailed')
  return outcome.message
}

test('an agent whose owner names nothing restores to a folder of its own and nowhere else', async (t) => {
  const { agent, restore } = await setUp(t, () => [])
  const own = join(agent.stateDirectory, 'restores')
  assert.equal((await restore(join(own, 'files01'))).state, 'SUCCESS')
  assert.equal(statSync(own).mode & 0o777, 0o700)
  for (const path of [
    agent.target,
    agent.stateDirectory,
    '/etc/cron.d',
    '/dev/shm/palisade',
    '/root/palisade',
  ]) {
    assert.match(
      refusalOf(await restore(path)),
      /may only go to .*\/restores or below; .* with --restore-to/,
      path,
    )
    assert.ok(!existsSync(join(path, 'disk.vhdx')), path)
  }
  assert.ok(!existsSync(agent.target))
})

test('a share takes disks only when the owner of the computer names it', async (t) => {
  const { restore } = await setUp(t, () => ['//127.0.0.1/data/palisade'])
  for (const path of [
    '//127.0.0.1/other',
    '\\\\127.0.0.1\\data',
    'smb://127.0.0.1/data/palisade/../x',
    '//10.0.0.1/data/palisade',
  ])
    assert.match(refusalOf(await restore(path)), /with --restore-to/, path)
  const outcome = await restore('\\\\127.0.0.1\\DATA\\palisade\\x')
  assert.ok(outcome.state === 'ERROR' && outcome.code !== 'CreateFolderFailed', 'this one is tried')
})

test('a folder that the owner names is none for links that lead out of it', async (t) => {
  const { agent, restore } = await setUp(t, (directory) => [join(directory, 'restored')])
  const elsewhere = join(agent.directory, 'elsewhere')
  mkdirSync(elsewhere)
  mkdirSync(join(agent.target, 'inside'), { recursive: true })
  symlinkSync(elsewhere, join(agent.target, 'out'))
  symlinkSync(join(agent.target, 'inside'), join(agent.target, 'in'))
  assert.equal((await restore(join(agent.target, 'in', 'deep'))).state, 'SUCCESS')
  assert.deepEqual(readdirSync(join(agent.target, 'inside', 'deep')), ['disk.vhdx'])
  for (const path of [
    join(agent.target, 'out'),
    join(agent.target, 'out', 'deep'),
    `${agent.target}/../elsewhere`,
  ])
    assert.match(refusalOf(await restore(path)), /with --restore-to/, path)
  assert.deepEqual(readdirSync(elsewhere), [])
})

test('asked about folders, an agent makes none and looks at none but those that its owner names', async (t) => {
  const { agent } = await setUp(t, (directory) => [join(directory, 'restored')])
  const folder = { path: join(agent.directory, 'elsewhere') }
  let ran = 0
  for (const question of [
    { about: 'path', folder },
    { about: 'agent', folder },
    { about: 'network', folder, diskFormat: 'Vhd' },
  ] as const) {
    const answer = await agent.server.askHost(question)
    assert.match(JSON.stringify(answer), /with --restore-to/, question.about)
    ran++
  }
  assert.equal(ran, 3)
  assert.ok(!existsSync(folder.path))
})

test('tells the server where restores may go', async (t) => {
  const { agent } = await setUp(t, () => ['/srv/restores', '\\\\nas\\backups\\acme'])
  const hello = agent.server.messages.find(({ type }) => type === 'hello')
  assert.ok(hello?.type === 'hello')
  assert.deepEqual(hello.restoreTo, [
    join(agent.stateDirectory, 'restores'),
    '/srv/restores',
    '//nas/backups/acme',
  ])
})

test('refuses names that no folder for disks can have', () => {
  for (const name of [
    'restores',
    '/',
    '/etc',
    '/etc/palisade',
    '/dev/shm',
    '/proc',
    '/srv/../etc',
    '//nas',
    '/usr/local',
  ])
    assert.throws(() => new AllowedDestinations([name]), name)
  assert.deepEqual(new AllowedDestinations(['/srv/restores/', '/etcetera']).names, [
    '/srv/restores',
    '/etcetera',
  ])
})
