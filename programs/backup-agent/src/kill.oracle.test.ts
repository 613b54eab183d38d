import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { agentProgram, end } from './testing/agent/agent-program.ts'
import { ProtocolServer } from './testing/agent/protocol-server.ts'
import { temporaryDirectory } from './testing/temporary-directory.ts'
import { hasTools, run } from './testing/tool.ts'
import { writeVolumeImage } from './testing/volumes/volume-image.ts'

const mebibyte = 1024 * 1024
const sizeBytes = 96 * mebibyte
const kills = 3
/** From before the first byte to after the last one, as it goes on the slowest machine we know. */
const killAfterMsMax = 450

interface Bench {
  readonly server: ProtocolServer
  readonly directory: string
  readonly image: string
  start(): Promise<ChildProcess>
}

/** A server, an image, and agents that are programs of their own. */
async function setUp(t: TestContext): Promise<Bench> {
  const directory = temporaryDirectory(t)
  const image = join(directory, 'image.raw')
  writeVolumeImage(image, sizeBytes)
  const server = await ProtocolServer.start()
  t.after(() => server.stop())
  return { server, directory, image, start: agentProgram(t, server, join(directory, 'state')) }
}

function finishedDisks(target: string): string[] {
  if (!existsSync(target)) return []
  return readdirSync(target)
    .filter((name) => name.endsWith('.vhdx'))
    .map((name) => join(target, name))
}

function assertWhole(disk: string, image: string): void {
  assert.match(run('qemu-img', 'check', '-f', 'vhdx', disk), /No errors were found/)
  const window = {
    driver: 'raw',
    offset: mebibyte,
    size: sizeBytes,
    file: { driver: 'vhdx', file: { driver: 'file', filename: disk } },
  }
  const compared = run('qemu-img', 'compare', '-f', 'raw', image, `json:${JSON.stringify(window)}`)
  assert.match(compared, /Images are identical/)
}

test(`an agent that is killed at ${kills} moments of a restore never leaves half a disk under a name, and ends it`, async (t) => {
  if (!hasTools(t, 'qemu-img')) return
  const { server, directory, image, start } = await setUp(t)
  let agent = await start()
  const revision = await server.backUp('b1', { path: image })
  let unfinished = 0
  for (let round = 0; round < kills; round++) {
    const target = join(directory, `restored-${round}`)
    mkdirSync(target)
    const id = `r${round}`
    server.start(server.restoreMessage(id, target, 'Vhdx', [revision]))
    await sleep(((round + Math.random()) * killAfterMsMax) / kills)
    await end(agent, 'SIGKILL')
    const before = finishedDisks(target)
    for (const disk of before) assertWhole(disk, image)
    if (before.length === 0) unfinished++
    const isEnded = !server.unfinished.has(id)
    const outcome = server.outcomeOf(id)
    agent = await start()
    if (!isEnded) {
      const ended = await outcome
      assert.deepEqual(ended, { state: 'SUCCESS', files: [join(target, 'disk.vhdx')] })
    }
    assert.deepEqual(readdirSync(target), ['disk.vhdx'], 'one disk, written once, and nothing else')
    assertWhole(join(target, 'disk.vhdx'), image)
  }
  assert.ok(unfinished > 0, 'at least one kill came before the end')
})

test('SIGTERM ends an agent with status 0, in the middle of a restore, and cleans up', async (t) => {
  const { server, directory, image, start } = await setUp(t)
  const agent = await start()
  const revision = await server.backUp('b1', { path: image })
  const target = join(directory, 'restored')
  const arrival = Promise.withResolvers<void>()
  server.interfere = (request) => {
    if (!request.url?.includes('?from=')) return false
    arrival.resolve()
    return true
  }
  server.start(server.restoreMessage('r1', target, 'Vhdx', [revision]))
  await arrival.promise
  const before = performance.now()
  assert.equal(await end(agent, 'SIGTERM'), 0)
  assert.ok(performance.now() - before < 60_000, 'not after the patience with a server that is away')
  assert.deepEqual(readdirSync(target), [])
})
