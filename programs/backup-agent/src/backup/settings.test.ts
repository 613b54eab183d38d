import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { partitionTypes } from '@palisade/virtual-disk'
import { writePartitionedDisk } from '../testing/partitioned-disk.ts'
import { TestAgent } from '../testing/test-agent.ts'
import { defaultBackupSettings } from './settings.ts'

const mebibyte = 1024 * 1024

test('a bandwidth that is given is kept by all threads together', async (t) => {
  const bytesPerSecondMax = 4 * mebibyte
  const agent = await TestAgent.start(t, { backup: { bytesPerSecondMax } })
  const image = join(agent.directory, 'image.raw')
  writeFileSync(image, randomBytes(9 * mebibyte))
  const before = performance.now()
  await agent.server.backUp('b1', { path: image })
  const seconds = (performance.now() - before) / 1000
  assert.ok(seconds > 1.9, `nine mebibytes took ${seconds} s`)
  assert.equal(agent.server.chunks.size, 9)
})

test('the server hears which volumes there are, and what the operator excludes is neither told nor backed up', async (t) => {
  const agent = await TestAgent.prepare(t, {
    backup: {
      volumes: { ...defaultBackupSettings.volumes, include: ['*/disk.raw', '*/none'], exclude: ['*#2'] },
    },
  })
  const image = join(agent.directory, 'disk.raw')
  writePartitionedDisk(image, 'gpt', [{ type: partitionTypes.gpt.linux }, { type: partitionTypes.gpt.linux }])
  await agent.start()
  const outcome = agent.server.outcomeOf('b1')
  agent.server.start({ type: 'start-backup', id: 'b1', source: { path: image, partition: 2 } })
  const ended = await outcome
  assert.ok(ended.state === 'ERROR' && ended.code === 'SourceUnreadable' && /excluded it/.test(ended.message))
  assert.equal(await agent.server.backUp('b2', { path: image, partition: 1 }), 1)
})

test('images that the operator names are among the volumes that the server hears of', async (t) => {
  const agent = await TestAgent.prepare(t)
  const image = join(agent.directory, 'disk.raw')
  writePartitionedDisk(image, 'mbr', [{ type: '83' }])
  const other = await TestAgent.start(t, {
    backup: { volumes: { images: [image], include: [image], exclude: [] } },
  })
  const answer = other.server.messageOf(({ type }) => type === 'volumes')
  other.server.say({ type: 'discover-volumes', id: 'q1' })
  const told = await answer
  assert.ok(told.type === 'volumes' && told.id === 'q1')
  assert.deepEqual(
    told.volumes?.map(({ source }) => source),
    [{ path: image, partition: 1 }],
  )
})
