import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { BackupSource, Outcome } from '@palisade/agent-protocol'
import { TestAgent } from '../testing/agent/test-agent.ts'
import { writeVolumeImage } from '../testing/volumes/volume-image.ts'
import { ownDisks, type VolumeChoice } from './choice.ts'

const attackerId = 65_533
const attacker = fileURLToPath(new URL('../testing/agent/folder-attacker.ts', import.meta.url))

/** An agent whose owner says what may be read. */
async function setUp(t: TestContext, volumes: (directory: string) => Partial<VolumeChoice>) {
  const agent = await TestAgent.prepare(t)
  await agent.start({ backup: { volumes: { ...ownDisks, ...volumes(agent.directory) } } })
  let backups = 0
  const backUp = async (source: BackupSource): Promise<Outcome> => {
    const id = `b${backups++}`
    const outcome = agent.server.outcomeOf(id)
    agent.server.start({ type: 'start-backup', id, source })
    return outcome
  }
  return { agent, backUp }
}

function refusalOf(outcome: Outcome): string {
  assert.ok(outcome.state === 'ERROR' && outcome.code === 'SourceUnreadable', JSON.stringify(outcome))
  return outcome.message
}

test('a file that the owner of the computer has not named is not backed up, and nobody is told whether it is there', async (t) => {
  const { agent, backUp } = await setUp(t, () => ({}))
  const image = join(agent.directory, 'image.raw')
  writeVolumeImage(image, 1024 * 1024)
  const refusals: string[] = []
  for (const path of [
    '/etc/passwd',
    image,
    join(agent.directory, 'missing'),
    '/root',
    '/dev/null',
    '/etc/passwd/x',
  ])
    refusals.push(refusalOf(await backUp({ path })).replace(path, ''))
  assert.equal(refusals.length, 6)
  assert.equal(new Set(refusals).size, 1, refusals.join('\n'))
  assert.match(refusals[0] ?? '', /--image and --include/)
  assert.equal(agent.server.chunks.size, 0)
})

test('what --image and --include name is backed up, whatever it is called meanwhile', async (t) => {
  const { agent, backUp } = await setUp(t, (directory) => ({
    images: [join(directory, 'one.raw')],
    include: [join(directory, 'images', '*')],
  }))
  mkdirSync(join(agent.directory, 'images'))
  for (const name of ['one.raw', 'images/two.raw', 'three.raw'])
    writeVolumeImage(join(agent.directory, name), 1024 * 1024)
  symlinkSync(join(agent.directory, 'three.raw'), join(agent.directory, 'images', 'four.raw'))
  for (const name of ['one.raw', 'images/two.raw'])
    assert.equal((await backUp({ path: join(agent.directory, name) })).state, 'SUCCESS', name)
  for (const name of ['three.raw', 'images/four.raw'])
    refusalOf(await backUp({ path: join(agent.directory, name) }))
})

test('a backup never reads what the owner of a folder puts in the place of an image', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root can be attacked by another user')
  const { agent, backUp } = await setUp(t, (directory) => ({ include: [join(directory, 'images', '*')] }))
  const folder = join(agent.directory, 'images')
  const secret = join(agent.directory, 'secret')
  mkdirSync(folder)
  chmodSync(agent.directory, 0o755)
  writeFileSync(secret, Buffer.alloc(300_000, 'only root reads this'), { mode: 0o600 })
  const image = join(folder, 'image.raw')
  writeFileSync(image, Buffer.alloc(200_000, 'anybody reads this'))
  chownSync(folder, attackerId, attackerId)
  const child = spawn(process.execPath, [attacker, 'swap-file', image, secret], {
    uid: attackerId,
    gid: attackerId,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  let refused = 0
  for (let round = 0; round < 60; round++) {
    if ((await backUp({ path: image })).state === 'ERROR') refused++
  }
  t.diagnostic(`${refused} of 60 backups were refused`)
  const sizes = [...agent.server.revisions.values()].map(({ metadata }) => metadata.volume.capacityBytes)
  assert.deepEqual(
    [...new Set(sizes)].filter((sizeBytes) => sizeBytes !== 200_000),
    [],
    'only the image was read',
  )
})
