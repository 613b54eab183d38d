import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { extname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { agentProgram, end } from '../testing/agent/agent-program.ts'
import { ProtocolServer } from '../testing/agent/protocol-server.ts'
import { eventually } from '../testing/eventually.ts'
import { revisionContent } from '../testing/revisions/revision-content.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { emptySharingFileSystem } from '../testing/volumes/sharing-file-system.ts'

const mebibyte = 1024 * 1024
const sizeBytes = 24 * mebibyte
const kills = Number(process.env.PALISADE_KILLS ?? 4)
/** From before the copy is made to after it is kept, as it goes on the slowest machine we know. */
const killAfterMsMax = 300
const flags = ['--track-changes', '--full-read-every', '5']

function writePieces(image: string): void {
  const file = openSync(image, 'r+')
  for (let piece = 0; piece < 5; piece++)
    writeSync(file, randomBytes(5000), 0, 5000, randomInt(sizeBytes - 5000))
  closeSync(file)
}

async function killOften(t: TestContext, folder: string): Promise<void> {
  const server = await ProtocolServer.start()
  t.after(() => server.stop())
  server.chunkSizeBytes = 64 * 1024
  const image = join(folder, 'image.raw')
  writeFileSync(image, randomBytes(sizeBytes))
  const state = temporaryDirectory(t)
  const start = agentProgram(t, server, state, flags)
  let agent = await start()
  await server.backUp('first', { path: image })
  let unfinished = 0
  for (let round = 0; round < kills; round++) {
    writePieces(image)
    const before = server.revisions.size
    const id = `b${round}`
    server.start({ type: 'start-backup', id, source: { path: image } })
    await sleep(((round + Math.random()) * killAfterMsMax) / kills)
    await end(agent, 'SIGKILL')
    const isEnded = !server.unfinished.has(id)
    if (!isEnded) unfinished++
    const outcome = server.outcomeOf(id)
    agent = await start()
    if (!isEnded) assert.equal((await outcome).state, 'SUCCESS')
    const content = readFileSync(image)
    assert.ok(server.revisions.size > before)
    for (let revision = before + 1; revision <= server.revisions.size; revision++)
      assert.ok(revisionContent(server, revision).equals(content), `revision ${revision} after kill ${round}`)
  }
  assert.ok(unfinished > 0, 'at least one kill came before the end')
  const arePatched = [...server.revisions.values()].filter(
    ({ metadata }) => metadata.patchedCount !== undefined,
  )
  assert.ok(arePatched.length > 0, 'revisions are patched')
  writePieces(image)
  const last = await server.backUp('last', { path: image })
  assert.ok(revisionContent(server, last).equals(readFileSync(image)))
  await eventually('the acknowledgement', () => readdirSync(join(state, 'journal')).length === 0)
  assert.equal(readdirSync(join(folder, '.palisade-agent')).length, 1, 'one copy is kept')
  const extensions = readdirSync(join(state, 'kept')).map((name) => extname(name))
  const always = ['.ids', '.in-use', '.json']
  const isPatched = extensions.includes('.patches')
  assert.deepEqual(extensions.sort(), isPatched ? [...always, '.patches'] : always, 'and what is known of it')
  assert.deepEqual(readdirSync(join(state, 'snapshots')), [])
  assert.equal(await end(agent, 'SIGTERM'), 0)
}

for (const kind of ['xfs', 'btrfs'] as const) {
  test(`an agent that is killed at ${kills} moments makes revisions of what the image is on ${kind}, and leaves no copies behind`, async (t) => {
    const folder = emptySharingFileSystem(t, kind)
    if (folder !== undefined) await killOften(t, folder)
  })
}
