// Runs on a fresh machine and tells, as the last line of its output, what came of it, as JSON. "protect" starts Palisade as its README says
// and does what the printed first steps say; "look" starts what is built already and looks at what that tells of itself.
//
//   node --conditions=source tests/src/fresh-machine/newcomer.ts protect|look PASSWORD [FLAG OF THE SERVER …]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import {
  type RequestVariant,
  requestOf,
  requestVariants,
  sendRequest,
} from '@palisade/firewall-proxy/testing'
import { Management } from '../support/firewall/proxy.ts'
import { basic, eventually } from '../support/programs/calls.ts'

/** What a newcomer sees of an installation. */
export interface Sight {
  /** Of the service, and why. */
  readonly status: string
  readonly reason: string
  /** The answer of `/readyz`. */
  readonly readiness: unknown
  /** Lines of `/metrics` about warnings and rules. */
  readonly metrics: readonly string[]
  /** What the server and its proxy printed. */
  readonly log: readonly string[]
}

/** What became of requests, by the names of their variants. */
export interface Outcome {
  readonly status: number
  /** Whether the application had a request. */
  readonly hasReached: boolean
}

/** What a newcomer who protects an application finds. */
export interface Experience extends Sight {
  readonly attacks: Readonly<Record<string, Outcome>>
  readonly ordinary: Readonly<Record<string, Outcome>>
}

const management = 'http://127.0.0.1:8000/restapi/v3.2'
const services = 'http://127.0.0.1:8080'
const applicationPort = 9000
const servicePort = 8081

const attack = "1' UNION SELECT user,password FROM users-- "
/** What only those rules find that ask libinjection. */
const withoutWords = "1' or '1'='1"
const inQuery = (value: string) => `/?id=${encodeURIComponent(value)}`
const harmless = 'The quick brown fox'
const longText = 'It was the best of times, it was the worst of times. '.repeat(40)

/** What clients send every day, beside the variants. */
const everyday: readonly RequestVariant[] = [
  { name: 'OPTIONS', method: 'OPTIONS', isOrdinary: true },
  { name: 'a page', isOrdinary: true },
  {
    name: 'preflight',
    method: 'OPTIONS',
    headers: [
      ...['Origin', 'http://shop.example', 'Access-Control-Request-Method', 'PUT'],
      ...['Access-Control-Request-Headers', 'content-type'],
    ],
    isOrdinary: true,
  },
  {
    name: '25 headers',
    headers: Array.from({ length: 22 }, (_, at) => [`X-Of-The-Application-${at}`, `${at}`]).flat(),
    isOrdinary: true,
  },
  { name: 'long value in the query', target: () => inQuery(longText), isOrdinary: true },
  {
    name: 'long value in a form',
    headers: ['Content-Type', 'application/x-www-form-urlencoded'],
    body: () => `text=${encodeURIComponent(longText.repeat(10))}`,
    isOrdinary: true,
  },
  {
    name: 'long value in JSON',
    headers: ['Content-Type', 'application/json'],
    body: () => JSON.stringify({ text: longText.repeat(10) }),
    isOrdinary: true,
  },
]

const [task = '', password = '', ...flags] = process.argv.slice(2)
const log: string[] = []
let count = 0

const [program = '', ...args] =
  task === 'protect' ? ['npm', 'start', '--'] : ['node_modules/.bin/palisade', 'serve']
const server = spawn(program, [...args, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] })
await new Promise<void>((resolve, reject) => {
  for (const input of [server.stdout, server.stderr]) {
    createInterface({ input }).on('line', (line) => {
      log.push(line)
      if (line.includes('"msg":"carrying traffic"')) resolve()
    })
  }
  server.once('exit', (status) => reject(new Error(`the server ended with ${status}:\n${log.join('\n')}`)))
})
const firewall = await logIn()
const application = createServer((incoming, reply) => {
  count++
  incoming.resume().on('end', () => reply.end('Hello\n'))
})
application.listen(applicationPort, '127.0.0.1')
await once(application, 'listening')
const result = task === 'protect' ? await protect() : await look()
server.kill('SIGTERM')
await once(server, 'exit')
application.close()
process.stdout.write(`${JSON.stringify(result)}\n`)

async function logIn(): Promise<Management> {
  const reply = await fetch(`${management}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  })
  const { token } = (await reply.json()) as { token: string }
  return new Management(management, basic(token))
}

async function protect(): Promise<Experience> {
  const loopback = { 'ip-address': '127.0.0.1' }
  await firewall.call('POST', 'services', { name: 'shop', ...loopback, port: servicePort })
  await firewall.addServer('shop', 'one', applicationPort)
  await firewall.call('PUT', 'services/shop/basic-security', { mode: 'Active' })
  const sight = await look()
  return {
    ...sight,
    attacks: {
      ...(await outcomes(requestVariants, attack)),
      ...(await outcomes(
        [{ name: 'injection without words', target: inQuery, isOrdinary: true }],
        withoutWords,
      )),
    },
    ordinary: await outcomes([...everyday, ...requestVariants.filter(isCarriedByDefault)], harmless),
  }
}

/** The rules as they are shipped refuse requests whose bodies are compressed (tx.restricted_headers). */
function isCarriedByDefault({ isOrdinary, headers = [] }: RequestVariant): boolean {
  return isOrdinary && !headers.includes('Content-Encoding')
}

/** As soon as the proxy has taken all that was changed, and has told of itself. */
async function look(): Promise<Sight> {
  const { status, reason } = await eventually('a proxy that has the newest changes', async () => {
    const { data } = await firewall.call('GET', 'services/shop?category=operational')
    const [members] = Object.values(data as Record<string, Record<string, string>>)
    const reason = members?.['status-reason'] ?? ''
    return /on its way|has reported|taken it over/.test(reason)
      ? undefined
      : { status: members?.['operational-status'] ?? '', reason }
  })
  const metrics = await (await fetch(`${services}/metrics`)).text()
  return {
    status,
    reason,
    readiness: await (await fetch(`${services}/readyz`)).json(),
    metrics: metrics
      .split('\n')
      .filter((line) => /^palisade_(service_warnings|firewall_rules_loaded)/.test(line)),
    log,
  }
}

async function outcomes(
  variants: readonly RequestVariant[],
  value: string,
): Promise<Record<string, Outcome>> {
  const outcomes: Record<string, Outcome> = {}
  for (const variant of variants) {
    const before = count
    const status = await sendRequest(servicePort, requestOf(variant, value))
    outcomes[variant.name] = { status, hasReached: count > before }
  }
  return outcomes
}
