/** What bodies cost that come slowly: those of nobody known end soon, those of who has authenticated do not. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { connect as connectSecurely } from 'node:tls'
import { awarenessToken, basic, bearer, firewallToken } from './support/programs/calls.ts'
import { cleanUp, Server } from './support/programs/server.ts'

after(cleanUp)

/** What the listeners give to a body of nobody known, alone and in a crowd. */
const aloneMs = 20_000
const crowdedMs = 3_000
const networkMax = 16

/** How much longer than that a body takes whose sender is known. */
const knownMs = 25_000

interface Listener {
  readonly port: number
  readonly isSecure: boolean
}

interface Ended {
  readonly ms: number
  readonly received: string
}

/** Sends the head of a request at once, and its body byte by byte, in the time that is given, until the other side closes. */
async function trickle(
  { port, isSecure }: Listener,
  head: string,
  body: string,
  overMs: number,
): Promise<Ended> {
  const begunAt = performance.now()
  const to = { port, host: '127.0.0.1' }
  const socket: Socket = isSecure ? connectSecurely({ ...to, rejectUnauthorized: false }) : connect(to)
  socket.on('error', () => undefined)
  let reply = ''
  socket.setEncoding('latin1').on('data', (text) => {
    reply += text
  })
  socket.write(
    `${head}\r\nHost: palisade\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
  )
  const rest = [...body]
  const sending = setInterval(() => {
    const piece = rest.shift()
    if (piece !== undefined && socket.writable) socket.write(piece)
  }, overMs / body.length)
  await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(sending)
  return { ms: performance.now() - begunAt, received: reply }
}

const json = 'Content-Type: application/json'
const form = 'Content-Type: application/x-www-form-urlencoded'

test('slow bodies of nobody known end soon at every listener, honest callers beside them are served, and known ones have time', async () => {
  const server = await Server.start()
  const listenersAt = (ports: { http: number; https: number }): Listener[] => [
    { port: ports.http, isSecure: false },
    { port: ports.https, isSecure: true },
  ]
  const targets: [listener: Listener, head: string][] = [
    ...listenersAt(server.ports.firewall).flatMap((listener): [Listener, string][] => [
      [listener, `POST /restapi/v3.2/login HTTP/1.1\r\n${json}`],
      [listener, `POST /restapi/v3.2/services HTTP/1.1\r\n${json}`],
    ]),
    ...listenersAt(server.ports.services).flatMap((listener): [Listener, string][] => [
      [listener, `POST /awareness/authenticate HTTP/1.1\r\n${json}`],
      [listener, `POST /backup/oauth2/token HTTP/1.1\r\n${form}`],
      [listener, `POST /email/oauth2/token HTTP/1.1\r\n${form}`],
      [listener, `POST /backup/agent/v1/enrol HTTP/1.1\r\n${json}`],
      [
        listener,
        `POST /backup/agent/v1/backups/1/missing HTTP/1.1\r\nContent-Type: application/octet-stream`,
      ],
      [listener, `POST /nowhere HTTP/1.1\r\n${json}`],
    ]),
  ]
  const { authorization: management = '' } = basic(await firewallToken(server))
  const { authorization: client = '' } = await bearer(server, 'backup')
  const proxyKey = readFileSync(join(server.folder, 'data', 'firewall-proxy.key'), 'utf8')
  const agent = await credentialOfAgent(server)
  const knownOnes: [listener: Listener, head: string, body: string, status: number][] = [
    [
      { port: server.ports.firewall.http, isSecure: false },
      `POST /restapi/v3.2/services HTTP/1.1\r\n${json}\r\nAuthorization: ${management}`,
      JSON.stringify({ name: 'slow', 'ip-address': '127.1.0.1', port: 8123 }),
      201,
    ],
    [
      { port: server.ports.firewall.http, isSecure: false },
      `POST /proxies/v1/logs HTTP/1.1\r\n${json}\r\nAuthorization: Bearer ${proxyKey}`,
      JSON.stringify({ access: [], webFirewall: [] }),
      204,
    ],
    [
      { port: server.ports.services.http, isSecure: false },
      `POST /backup/v2/accounts/acme/computers/0001/backups HTTP/1.1\r\n${json}\r\nAuthorization: ${client}`,
      JSON.stringify({ nonsense: 'of a known caller' }),
      400,
    ],
    [
      { port: server.ports.services.https, isSecure: true },
      `POST /backup/agent/v1/backups/1/missing HTTP/1.1\r\nContent-Type: application/octet-stream\r\nAuthorization: Bearer ${agent}`,
      'x'.repeat(64),
      404,
    ],
  ]
  const knownAnswers = Promise.all(
    knownOnes.map(async ([listener, head, body, status]) => {
      const { received, ms } = await trickle(listener, head, body, knownMs)
      assert.match(received, new RegExp(`^HTTP/1.1 ${status} `), head)
      assert.ok(ms > aloneMs, `${head} lasted ${ms} ms`)
    }),
  )

  const attacks = targets.map(async ([listener, head]) => {
    const ended = await Promise.all(
      Array.from({ length: 2 * networkMax }, () => trickle(listener, head, 'x'.repeat(1000), 100_000)),
    )
    const longest = Math.max(...ended.map(({ ms }) => ms))
    assert.ok(longest < aloneMs + 5_000, `${head} lasted ${longest} ms`)
    return ended.map(({ ms }) => ms)
  })
  // While all of them are under way, everybody who sends his body at once logs in.
  await new Promise((resolve) => setTimeout(resolve, crowdedMs / 2))
  await firewallToken(server)
  await bearer(server, 'email')
  await awarenessToken(server)
  const lasted = (await Promise.all(attacks)).flat()
  assert.equal(lasted.length, targets.length * 2 * networkMax)
  const long = lasted.filter((ms) => ms > crowdedMs + 5_000).length
  assert.ok(long <= 2 * networkMax, `${long} bodies were waited for longer, ${networkMax} at each listener`)
  await knownAnswers
  await server.remove()
})

async function credentialOfAgent(server: Server): Promise<string> {
  const reply = await fetch(`${server.services}/backup/agent/v1/enrol`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      account: 'acme',
      computer: '0001',
      enrolmentKey: 'enrol-me',
      agentVersion: '1',
      hostName: 'files01',
      platform: 'linux-x64',
    }),
  })
  assert.equal(reply.status, 200, await reply.clone().text())
  return ((await reply.json()) as { credential: string }).credential
}
