import assert from 'node:assert/strict'
import {
  closeSync,
  copyFileSync,
  openSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { DiskComparison } from '@palisade/agent-protocol'
import { nameChunk } from '@palisade/vault'
import { TestAgent } from '../testing/agent/test-agent.ts'
import { run } from '../testing/tool.ts'
import { writeVolumeImage } from '../testing/volumes/volume-image.ts'
import { ownDisks } from '../volumes/choice.ts'

const mebibyte = 1024 * 1024

/** An agent whose owner names one image, with a revision of that, and some pipes. */
async function setUp(t: TestContext, more: { readonly endToEnd?: boolean; readonly pipes?: number } = {}) {
  const agent = await TestAgent.prepare(t)
  const image = join(agent.directory, 'image.raw')
  writeVolumeImage(image, 5 * mebibyte + 512)
  const key = join(agent.directory, 'own.key')
  const pipes = Array.from({ length: more.pipes ?? 0 }, (_, index) => join(agent.directory, `pipe${index}`))
  if (pipes.length > 0) run('mkfifo', ...pipes)
  await agent.start({
    backup: { volumes: { ...ownDisks, images: [image, ...pipes] } },
    ...(more.endToEnd === true ? { endToEndKeyFile: key } : {}),
  })
  const revision = await agent.server.backUp('b1', { path: image })
  return { agent, image, revision, pipes }
}

function failureOf(comparison: DiskComparison): string {
  return 'failure' in comparison ? comparison.failure : assert.fail(JSON.stringify(comparison))
}

function change(path: string, at: number): void {
  const file = openSync(path, 'r+')
  writeSync(file, 'changed', at)
  closeSync(file)
}

test('compares what may be backed up and what was restored, and says how much differs and not where', async (t) => {
  const { agent, image, revision } = await setUp(t)
  const outcome = await agent.server.restore('r1', agent.target, 'Vhdx', [revision])
  const [disk = ''] = outcome.state === 'SUCCESS' ? (outcome.files ?? []) : []
  for (const path of [image, disk]) {
    const same = { chunksCompared: 6, chunksDifferent: 0, firstDifferences: [] }
    assert.deepEqual(await agent.server.compare({ path }, revision), same, path)
  }
  change(image, 3 * mebibyte)
  const comparison = { chunksCompared: 6, chunksDifferent: 1, firstDifferences: [] }
  assert.deepEqual(await agent.server.compare({ path: image }, revision), comparison)
  assert.ok(
    agent.log.some((line) => line.includes(`"places":[${3 * mebibyte}]`)),
    'the log of the computer says where',
  )
  await agent.stop()
  await agent.start({ backup: { volumes: ownDisks } })
  assert.deepEqual(await agent.server.compare({ path: disk }, revision), {
    ...comparison,
    chunksDifferent: 0,
  })
})

test('compares nothing else, and does not tell whether it is there, what it is and how large', async (t) => {
  const { agent, image, revision } = await setUp(t)
  const outcome = await agent.server.restore('r1', agent.target, 'Vhdx', [revision])
  const [disk = ''] = outcome.state === 'SUCCESS' ? (outcome.files ?? []) : []
  const at = (name: string) => join(agent.directory, name)
  copyFileSync(image, at('copy.raw'))
  symlinkSync(at('copy.raw'), at('link.raw'))
  truncateSync(disk)
  copyFileSync(disk, at('other.vhdx'))
  // Another file by the name of a disk that was restored.
  renameSync(at('other.vhdx'), disk)
  const answers: string[] = []
  for (const path of [
    '/etc/shadow',
    '/etc',
    '/dev/null',
    at('copy.raw'),
    at('link.raw'),
    at('missing'),
    disk,
  ])
    answers.push(failureOf(await agent.server.compare({ path }, revision)).replace(path, ''))
  assert.equal(answers.length, 7)
  assert.equal(new Set(answers).size, 1, answers.join('\n'))
  assert.match(answers[0] ?? '', /lets its agent read/)
})

test('a pipe is refused, and stops neither other work nor the agent', async (t) => {
  const { agent, image, revision, pipes } = await setUp(t, { pipes: 10 })
  const answers = await Promise.all(pipes.map((path) => agent.server.compare({ path }, revision)))
  assert.equal(answers.length, 10)
  // At most nine are done or wait; the last one is told that there are too many.
  for (const answer of answers)
    assert.match(failureOf(answer), /neither a file nor a block device|other disks wait/)
  assert.equal(await agent.server.backUp('b2', { path: image }), 2)
})

test('an agent with a key of its own tells nobody whether a guess of what is on a disk is right', async (t) => {
  const { agent, image, revision } = await setUp(t, { endToEnd: true })
  const { server } = agent
  const stored = server.revisions.get(revision)
  assert.ok(stored)
  writeFileSync(image, Buffer.alloc(mebibyte, 'secret'))
  // A server that was taken over guesses, and names its guess with its own key.
  const guess = nameChunk(Buffer.alloc(mebibyte, 'secret'), server.keys.naming)
  const volume = { ...stored.metadata.volume, capacityBytes: mebibyte }
  const { endToEnd: _, ...metadata } = { ...stored.metadata, volume, chunkCount: 1 }
  server.revisions.set(9, { metadata, ids: guess })
  assert.match(failureOf(await server.compare({ path: image }, 9)), /only what is sealed with its own key/)
  server.revisions.set(9, { metadata: { ...stored.metadata, volume, chunkCount: 1 }, ids: guess })
  const compared = await server.compare({ path: image }, 9)
  assert.ok('chunksDifferent' in compared && compared.chunksDifferent === 1, 'right or wrong, it differs')
})

test('pieces of another size than those of the vault are not compared', async (t) => {
  const { agent, image, revision } = await setUp(t)
  for (const chunkSizeBytes of [4096, 65_536, 16 * mebibyte])
    assert.match(
      failureOf(await agent.server.compare({ path: image }, revision, { chunkSizeBytes })),
      /those of the vault/,
    )
})
