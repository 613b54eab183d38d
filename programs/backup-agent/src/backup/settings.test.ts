import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { partitionTypes } from '@palisade/virtual-disk'
import { TestAgent } from '../testing/agent/test-agent.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { writePartitionedDisk } from '../testing/volumes/partitioned-disk.ts'
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
  assert.ok(
    ended.state === 'ERROR' && ended.code === 'SourceUnreadable' && /not what the owner/.test(ended.message),
  )
  assert.equal(await agent.server.backUp('b2', { path: image, partition: 1 }), 1)
})

test('what the operator excludes is not backed up under another name either, nor is it read', async (t) => {
  const directory = temporaryDirectory(t)
  const at = (path: string) => `${directory}/${path}`
  for (const folder of ['images', 'others']) mkdirSync(at(folder))
  for (const name of ['images/a.raw', 'images/secret.raw', 'others/b.raw', 'others/c.raw']) {
    writePartitionedDisk(at(name), 'mbr', [{ type: '83' }])
  }
  symlinkSync(at('images'), at('folder'))
  symlinkSync(at('images/secret.raw'), at('images/alias.raw'))
  symlinkSync(at('others/b.raw'), at('images/link.raw'))
  symlinkSync(at('others/c.raw'), at('current'))
  const include = [at('folder/*'), at('current')]
  const agent = await TestAgent.start(t, {
    backup: { volumes: { images: [], include, exclude: [at('folder/secret*')] } },
  })
  const refused = [
    ...['others/b.raw', 'images/link.raw'],
    ...['images/secret.raw', 'folder/secret.raw', 'images/alias.raw'],
    ...['images/../others/b.raw', 'images/./secret.raw', 'images//secret.raw'],
  ]
  for (const [index, path] of refused.entries()) {
    const id = `r${index}`
    const outcome = agent.server.outcomeOf(id)
    agent.server.start({ type: 'start-backup', id, source: { path: at(path) } })
    const ended = await outcome
    assert.ok(ended.state === 'ERROR' && ended.code === 'SourceUnreadable', path)
    assert.match(ended.message, /not what the owner|without "\."/, path)
  }
  for (const [index, path] of ['images/a.raw', 'folder/a.raw', 'current', 'others/c.raw'].entries()) {
    assert.equal(await agent.server.backUp(`b${index}`, { path: at(path), partition: 1 }), index + 1)
  }
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
  const reply = await answer
  assert.ok(reply.type === 'volumes' && reply.id === 'q1')
  assert.deepEqual(
    reply.volumes?.map(({ source }) => source),
    [{ path: image, partition: 1 }],
  )
})
