import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { agentProgram, end } from '../../testing/agent/agent-program.ts'
import { readOfProcess } from '../../testing/agent/process-watch.ts'
import { ProtocolServer } from '../../testing/agent/protocol-server.ts'
import { judgeRestoredDisk } from '../../testing/revisions/restored-disk.ts'
import { SambaServer } from '../../testing/samba/samba-server.ts'
import { temporaryDirectory } from '../../testing/temporary-directory.ts'
import { hasTools } from '../../testing/tool.ts'
import { writeVolumeImage } from '../../testing/volumes/volume-image.ts'

const mebibyte = 1024 * 1024
const kills = 5
/** From before the first byte to after the last one, as it goes on the slowest machine we know. */
const killAfterMsMax = 1600

interface Bench {
  readonly samba: SambaServer
  readonly server: ProtocolServer
  readonly image: string
  readonly stateDirectory: string
  readonly start: ReturnType<typeof agentProgram>
}

async function setUp(t: TestContext): Promise<Bench | undefined> {
  if (!hasTools(t, 'qemu-img')) return undefined
  const samba = await SambaServer.start(t)
  if (samba === undefined) return undefined
  const directory = temporaryDirectory(t)
  const image = join(directory, 'image.raw')
  writeVolumeImage(image, 64 * mebibyte)
  const server = await ProtocolServer.start()
  t.after(() => server.stop())
  const stateDirectory = join(directory, 'state')
  const start = agentProgram(t, server, stateDirectory, ['--share-port', String(samba.port)])
  return { samba, server, image, stateDirectory, start }
}

/** Starts a restore of an image to the share, and resolves in the middle of it: requests of the agent wait from then on. */
async function restoreToTheMiddle(
  { samba, server, image }: Bench,
  diskFormat: 'Vhd' | 'Vhdx',
): Promise<void> {
  const revision = await server.backUp('b1', { path: image })
  const middle = Promise.withResolvers<void>()
  let count = 0
  server.interfere = (request) => {
    if (!request.url?.includes('?from=') || ++count < 6) return false
    middle.resolve()
    return true
  }
  const { credentials } = samba
  server.start(server.restoreMessage('r1', '//127.0.0.1/data', diskFormat, [revision], 'disk', credentials))
  await middle.promise
}

test(`an agent that is killed at ${kills} moments leaves no half disk under a name on a share, and ends the restore`, async (t) => {
  const bench = await setUp(t)
  if (bench === undefined) return
  const { samba, server, image, start } = bench
  let agent = await start()
  const revision = await server.backUp('b1', { path: image })
  let unfinished = 0
  for (let round = 0; round < kills; round++) {
    const folder = join(samba.folderOf('data'), `${round}`)
    const path = `\\\\127.0.0.1\\data\\${round}`
    const id = `r${round}`
    server.start(server.restoreMessage(id, path, 'Vhdx', [revision], 'disk', samba.credentials))
    await sleep(((round + Math.random()) * killAfterMsMax) / kills)
    await end(agent, 'SIGKILL')
    const left = existsSync(folder) ? readdirSync(folder) : []
    const disks = left.filter((name) => name.endsWith('.vhdx'))
    for (const name of disks) judgeRestoredDisk(join(folder, name), image)
    if (disks.length === 0) unfinished++
    const isEnded = !server.unfinished.has(id)
    const outcome = server.outcomeOf(id)
    agent = await start()
    if (!isEnded) assert.deepEqual(await outcome, { state: 'SUCCESS', files: [`${path}\\disk.vhdx`] })
    assert.deepEqual(readdirSync(folder), ['disk.vhdx'], 'one disk, written once, and nothing else')
    judgeRestoredDisk(join(folder, 'disk.vhdx'), image)
  }
  assert.ok(unfinished > 0, 'at least one kill came before the end')
})

test('the next start removes what a killed agent left on the share, also when nobody wants the disk any more', async (t) => {
  const bench = await setUp(t)
  if (bench === undefined) return
  const { samba, server, stateDirectory, start } = bench
  const first = await start()
  await restoreToTheMiddle(bench, 'Vhdx')
  await end(first, 'SIGKILL')
  const folder = samba.folderOf('data')
  assert.deepEqual(readdirSync(folder), ['.palisade-r1-1.partial'])
  server.unfinished.clear()
  await end(await start(), 'SIGTERM')
  assert.deepEqual(readdirSync(folder), [])
  assert.deepEqual(readdirSync(join(stateDirectory, 'journal')), [])
})

test('an agent that is told to stop leaves nothing on the share', async (t) => {
  const bench = await setUp(t)
  if (bench === undefined) return
  const { samba, stateDirectory, start } = bench
  const agent = await start()
  await restoreToTheMiddle(bench, 'Vhd')
  assert.equal(await end(agent, 'SIGTERM'), 0)
  assert.deepEqual(readdirSync(samba.folderOf('data')), [])
  for (const name of readdirSync(join(stateDirectory, 'journal'))) {
    assert.ok(!readFileSync(join(stateDirectory, 'journal', name), 'utf8').includes('sealedCredentials'))
  }
})

test('no client of a killed agent lives on, also when the server answers no more', async (t) => {
  const bench = await setUp(t)
  if (bench === undefined) return
  const { samba, start } = bench
  const agent = await start()
  await restoreToTheMiddle(bench, 'Vhdx')
  assert.equal(clientsOf(samba).length, 1)
  samba.freeze()
  await end(agent, 'SIGKILL')
  // Left to itself it would wait a minute for the server.
  const deadline = Date.now() + 20_000
  while (clientsOf(samba).length > 0) {
    assert.ok(Date.now() < deadline, 'the client is still there')
    await sleep(50)
  }
})

/** The processes that are connected to a server or about to be, by their ids. */
function clientsOf({ port }: SambaServer): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    const command = readOfProcess(pid, 'cmdline')
    return command.startsWith('smbclient\0') && command.includes(`--port=${port}\0`)
  })
}
