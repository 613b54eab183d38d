import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ProtocolServer } from '../testing/agent/protocol-server.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'

const mebibyte = 1024 * 1024
const chunkCount = 24
const kills = 5

/** A server that counts chunks which are sent although it has them, an image without equal chunks, and slow agents. */
async function setUp(t: TestContext) {
  const directory = temporaryDirectory(t)
  const image = join(directory, 'image.raw')
  writeFileSync(image, randomBytes(chunkCount * mebibyte))
  const server = await ProtocolServer.start()
  const counts = { repeated: 0 }
  const keep = server.chunks.set.bind(server.chunks)
  server.chunks.set = (id, sealed) => {
    if (server.chunks.has(id)) counts.repeated++
    return keep(id, sealed)
  }
  const started: ChildProcess[] = []
  t.after(async () => {
    for (const child of started) child.kill('SIGKILL')
    await server.stop()
  })
  const start = async () => {
    const hello = server.messageOf(({ type }) => type === 'hello')
    const program = fileURLToPath(new URL('../testing/agent/agent-process.ts', import.meta.url))
    const child = spawn(
      process.execPath,
      [
        ...[
          '--conditions=source',
          program,
          '--server',
          server.url,
          '--account',
          'acme',
          '--computer',
          '0001',
        ],
        ...['--key', server.enrolmentKey, '--state', join(directory, 'state'), '--log-level', 'silent'],
        ...['--bandwidth', '12M', '--image', image],
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    )
    started.push(child)
    await hello
    return child
  }
  return { server, image, counts, start }
}

/** Waits until there are more chunks, or the backup has ended without them. */
async function hasMore(server: ProtocolServer, than: number, outcome: Promise<unknown>): Promise<void> {
  let ended: unknown
  void outcome.then((how) => {
    ended = how
  })
  while (server.chunks.size <= than) {
    assert.equal(ended, undefined)
    await sleep(5)
  }
}

test(`a backup whose agent is killed ${kills} times goes on, and nothing that is stored is sent again`, async (t) => {
  const { server, image, counts, start } = await setUp(t)
  let agent = await start()
  const outcome = server.outcomeOf('b1')
  server.start({ type: 'start-backup', id: 'b1', source: { path: image } })
  for (let round = 1; round <= kills; round++) {
    await hasMore(server, round * 3, outcome)
    const exited = once(agent, 'exit')
    agent.kill('SIGKILL')
    await exited
    assert.equal(server.revisions.size, 0, 'no revision of half a backup')
    agent = await start()
  }
  assert.deepEqual(await outcome, { state: 'SUCCESS', revisionId: 1 })
  assert.equal(server.chunks.size, chunkCount)
  assert.equal(counts.repeated, 0)
})

test('a backup goes on after the network was gone, and nothing that is stored is sent again', async (t) => {
  const { server, image, counts, start } = await setUp(t)
  await start()
  const outcome = server.outcomeOf('b1')
  server.start({ type: 'start-backup', id: 'b1', source: { path: image } })
  for (const step of [4, 10]) {
    await hasMore(server, step, outcome)
    await server.stop()
    await sleep(200)
    await server.resume()
  }
  assert.deepEqual(await outcome, { state: 'SUCCESS', revisionId: 1 })
  assert.equal(server.chunks.size, chunkCount)
  assert.equal(counts.repeated, 0)
})
