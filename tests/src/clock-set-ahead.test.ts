/** What the record of the clock in the data directory tells of. A machine that starts with a clock which is ahead of when the server ran last: the server says so, and until when it deletes nothing by it. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { cleanUp, Server } from './support/programs/server.ts'

after(cleanUp)

const dayMs = 86_400_000

interface Readiness {
  readonly warnings?: readonly { readonly condition: string; readonly message: string }[]
}

async function clockWarnings(server: Server): Promise<string[]> {
  const { warnings = [] } = (await (await fetch(`${server.services}/readyz`)).json()) as Readiness
  return warnings.filter(({ condition }) => condition === 'clock-set-ahead').map(({ message }) => message)
}

test('a clock that is a year ahead of the last stop is told of, also after another restart', async () => {
  let server = await Server.start()
  assert.deepEqual(await clockWarnings(server), [])
  await server.program.stop()
  const file = join(server.folder, 'data', 'clock.json')
  const state = JSON.parse(readFileSync(file, 'utf8'))
  assert.ok(Math.abs(state.seenMs - Date.now()) < 60_000)
  writeFileSync(file, JSON.stringify({ ...state, seenMs: state.seenMs - 365 * dayMs }))
  for (const stop of ['SIGKILL', 'SIGTERM'] as const) {
    server = await Server.start(server.folder)
    const [message, ...others] = await clockWarnings(server)
    assert.match(message ?? '', /365 days ahead .* nothing is deleted for its age/)
    assert.deepEqual(others, [])
    await server.program.stop(stop)
  }
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), doubtedMs: 0 }))
  server = await Server.start(server.folder)
  assert.deepEqual(await clockWarnings(server), [], 'a clock that was right for a day is believed')
  await server.program.stop()
  writeFileSync(file, 'half a rec')
  server = await Server.start(server.folder)
  assert.deepEqual(await clockWarnings(server), [])
  await server.remove()
})

test('a data directory in which nothing can be written is told of, as critical', async () => {
  const server = await Server.start()
  await server.program.stop()
  mkdirSync(join(server.folder, 'data', 'clock.json.new'))
  const again = await Server.start(server.folder)
  const { warnings = [] } = (await (await fetch(`${again.services}/readyz`)).json()) as Readiness
  const messages = warnings.filter(({ condition }) => condition === 'data-not-writable')
  assert.match(
    messages.map(({ message }) => message).join(),
    /^The data directory .*data cannot be written: EISDIR/,
  )
  await again.remove()
})
