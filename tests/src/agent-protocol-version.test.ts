/** An agent and a server of different releases: they get on, or both say which of them to upgrade. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { eventually } from './support/programs/calls.ts'
import { Program } from './support/programs/program.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'

/** What each side is made to say of its versions; undefined for one of a release before the header. */
interface Versions {
  readonly agent?: string
  readonly server?: string
}

const present: Versions = { agent: '1', server: '1' }
const folder = newFolder()
let versions = present
let server: Server

/** Passes everything on between agent and server, but for what they say of their versions. */
const relay = createServer((fromAgent) => {
  const toServer = connect(server.ports.services.http, '127.0.0.1')
  fromAgent.on('data', (data) => toServer.write(saying(data, versions.agent)))
  toServer.on('data', (data) => fromAgent.write(saying(data, versions.server)))
  for (const [one, other] of [
    [fromAgent, toServer],
    [toServer, fromAgent],
  ] as const) {
    one.on('close', () => other.destroy()).on('error', () => other.destroy())
  }
})

function saying(data: Buffer, version: string | undefined): Buffer {
  const header = version === undefined ? '' : `palisade-agent-protocol: ${version}\r\n`
  return Buffer.from(data.toString('latin1').replace(/^palisade-agent-protocol: .*\r\n/im, header), 'latin1')
}

before(async () => {
  server = await Server.start(folder)
  relay.listen(0, '127.0.0.1')
  await once(relay, 'listening')
  writeFileSync(join(folder, 'enrolment-key'), 'enrol-me', { mode: 0o600 })
  const agent = startAgent()
  await agent.line(/"msg":"connected"/)
  await agent.stop()
})
beforeEach(() => {
  versions = present
})
after(async () => {
  await cleanUp()
  relay.close()
})

function startAgent(state = 'agent-state'): Program {
  const { port } = relay.address() as AddressInfo
  return new Program([
    ...['agent', '--server', `http://127.0.0.1:${port}/backup`, '--account', 'acme', '--computer', '0001'],
    ...['--key-file', join(folder, 'enrolment-key'), '--state', join(folder, state)],
  ])
}

/** The server's lines of log about the agent's link since a place in it. */
const linesOf = (since: number) => server.program.output.slice(since)

const together: readonly [string, Versions][] = [
  ['both of this release', present],
  ['an agent of before the header', { server: '1' }],
  ['a server of before the header', { agent: '1' }],
  ['an agent of the release after', { agent: '2;oldest=1', server: '1' }],
  ['a server of the release after', { agent: '1', server: '2;oldest=1' }],
]
for (const [who, theirs] of together) {
  test(`the link speaks version 1: ${who}`, async () => {
    versions = theirs
    const since = server.program.output.length
    const agent = startAgent()
    await agent.line(/"protocol":1,.*"msg":"connected"/)
    await eventually('the agent is online', async () =>
      /"protocol":1,.*"msg":"an agent is online"/.test(linesOf(since)) ? true : undefined,
    )
    await agent.stop()
  })
}

const apart: readonly [string, string, RegExp][] = [
  [
    'too new',
    '3;oldest=2',
    /he agent speaks versions 2 to 3 of the agent protocol, and the server version 1: upgrade the server/,
  ],
  [
    'too old',
    '0',
    /he agent speaks version 0 of the agent protocol, and the server version 1: upgrade the agent/,
  ],
]
for (const [what, theirs, sentence] of apart) {
  test(`a server refuses an agent that is ${what}, says why, and is asked again ever more seldom`, async () => {
    versions = { ...present, agent: theirs }
    const since = server.program.output.length
    const agent = startAgent()
    await agent.line(new RegExp(`"level":50,.*the server refused the link: T${sentence.source}\\.`))
    await new Promise((resolve) => setTimeout(resolve, 6000))
    const refusals = agent.output.match(/the server refused the link/g)?.length ?? 0
    assert.ok(refusals <= 6, `asked ${refusals} times within six seconds`)
    assert.match(linesOf(since), new RegExp(`an agent is refused: t${sentence.source}`))
    assert.doesNotMatch(linesOf(since), /an agent is online/)

    versions = present
    await agent.line(/"msg":"connected"/)
    await agent.stop()
  })
}

const serversApart: readonly [string, string, RegExp][] = [
  [
    'too new',
    '3;oldest=2',
    /the agent speaks version 1 of the agent protocol, and the server versions 2 to 3: upgrade the agent/,
  ],
  [
    'too old',
    '0',
    /the agent speaks version 1 of the agent protocol, and the server version 0: upgrade the server/,
  ],
]
for (const [what, theirs, sentence] of serversApart) {
  test(`an agent leaves a server that is ${what}, and says why`, async () => {
    versions = { ...present, server: theirs }
    const agent = startAgent()
    await agent.line(new RegExp(`"level":50,.*"msg":"no link to the server: ${sentence.source}"`))
    assert.doesNotMatch(agent.output, /"msg":"connected"/)
    await agent.stop()
  })
}

test('an agent that cannot get on is not enrolled, and ends the credential of nobody', async () => {
  versions = { ...present, agent: '3;oldest=2' }
  const credential = readFileSync(join(folder, 'agent-state', 'credential.json'), 'utf8')
  const stranger = startAgent('other-state')
  await stranger.line(
    /The agent cannot go on: the server does not enrol this computer.*406.*upgrade the server/,
  )
  assert.equal((await stranger.ended()).status, 1)

  versions = present
  const agent = startAgent()
  await agent.line(/"msg":"connected"/)
  await agent.stop()
  assert.equal(readFileSync(join(folder, 'agent-state', 'credential.json'), 'utf8'), credential)
})

test('versions that cannot be read are refused', async () => {
  versions = { ...present, agent: 'newest' }
  const agent = startAgent()
  await agent.line(/"status":400,.*palisade-agent-protocol is a version/)
  await agent.stop()
})
