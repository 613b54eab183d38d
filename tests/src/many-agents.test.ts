import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import type { AgentsLine } from './support/backup/many-agents.ts'
import { bearer, eventually } from './support/programs/calls.ts'
import { cleanUp, newFolder, provisioned, Server } from './support/programs/server.ts'
import { root } from './support/repository/root.ts'

after(cleanUp)

const agentCount = 1000
const processCount = 2
const memoryMaxBytes = 500 * 10 ** 6
/** A link that is silent for half a minute is cut, and pings come every ten seconds. */
const pingsMin = 4
const patienceMs = 300_000
/** The first command on its way to an agent that is online should take no longer, however loaded the machine is. */
const commandMaxMs = 30_000
const callsAtATime = 20

const computers = Array.from({ length: agentCount }, (_, index) => String(index + 1).padStart(4, '0'))
const [acme] = provisioned.backup.accounts
assert.ok(acme)
const configuration = {
  ...provisioned,
  backup: {
    ...provisioned.backup,
    accounts: [
      {
        ...acme,
        computers: computers.map((id) => ({ id, name: `computer-${id}`, enrolmentKey: 'enrol-me' })),
      },
    ],
  },
}

/** What the agents of all processes have said. */
class Heard {
  readonly connected = new Set<string>()
  readonly pings = new Map<string, number>()
  readonly closed: string[] = []
  readonly commands = new Map<string, number>()

  take(line: AgentsLine): void {
    if (line.what === 'connected') this.connected.add(line.computer)
    if (line.what === 'pinged') this.pings.set(line.computer, line.count)
    if (line.what === 'closed') this.closed.push(`${line.computer}: ${line.code}`)
    if (line.what === 'command') this.commands.set(line.id, line.atMs)
  }
}

test(`a server keeps ${agentCount} agents connected, and gets a command to each`, async (t) => {
  const server = await Server.start(newFolder(), configuration as typeof provisioned)
  const baseUrl = `${server.services}/backup`
  const heard = new Heard()
  const program = join(root, 'tests', 'src', 'support', 'backup', 'many-agents.ts')
  for (let number = 0; number < processCount; number++) {
    const own = computers.filter((_, index) => index % processCount === number)
    const child = spawn(process.execPath, [program, baseUrl, 'acme', 'enrol-me', ...own], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    t.after(() => child.kill())
    createInterface({ input: child.stdout }).on('line', (line) => heard.take(JSON.parse(line)))
  }
  const isSoon = (what: string, look: () => boolean | Promise<boolean>) =>
    eventually(what, async () => ((await look()) ? true : undefined), patienceMs)

  await isSoon('all agents being connected', () => heard.connected.size === agentCount)
  await isSoon('the pings', () => {
    return heard.pings.size === agentCount && [...heard.pings.values()].every((count) => count >= pingsMin)
  })
  const headers = { ...(await bearer(server, 'backup')), 'content-type': 'application/json' }
  const address = `${baseUrl}/v2/accounts/acme/computers`
  await isSoon('all computers being online', async () => {
    const listed = (await (await fetch(address, { headers })).json()) as { online: boolean }[]
    return listed.filter(({ online }) => online).length === agentCount
  })

  const sentAtMs = new Map<string, number>()
  const waiting = computers.values()
  const body = JSON.stringify({ source: { path: '/dev/sdb' } })
  const command = async (computer: string) => {
    const atMs = Date.now()
    const reply = await fetch(`${address}/${computer}/backups`, { method: 'POST', headers, body })
    assert.equal(reply.status, 202)
    sentAtMs.set(((await reply.json()) as { data: { id: string } }).data.id, atMs)
  }
  await Promise.all(
    Array.from({ length: callsAtATime }, async () => {
      for (const computer of waiting) await command(computer)
    }),
  )
  await isSoon('the commands', () => heard.commands.size === agentCount)
  const delaysMs = [...sentAtMs]
    .map(([id, atMs]) => (heard.commands.get(id) ?? Number.POSITIVE_INFINITY) - atMs)
    .sort((one, other) => one - other)
  assert.equal(delaysMs.length, agentCount)
  const [medianMs, p99Ms, slowestMs] = [0.5, 0.99, 1].map(
    (part) => delaysMs[Math.ceil(part * agentCount) - 1] ?? 0,
  )
  assert.ok((slowestMs ?? 0) <= commandMaxMs, `the slowest took ${slowestMs} ms`)
  // What the agents answered is in the store, too, and nobody was lost over it.
  await isSoon('the end of the last backup', async () => {
    const reply = await fetch(`${address}/${computers.at(-1)}/backups`, { headers })
    return ((await reply.json()) as { state: string }[])[0]?.state === 'CANCELED'
  })
  assert.deepEqual(heard.closed, [])
  const peakBytes = server.program.peakMemoryBytes()
  const megabytes = Math.round(peakBytes / 10 ** 6)
  t.diagnostic(`from call to agent: median ${medianMs} ms, p99 ${p99Ms} ms; peak memory ${megabytes} MB`)
  assert.ok(peakBytes < memoryMaxBytes, `${megabytes} MB`)
  await server.program.stop()
})
