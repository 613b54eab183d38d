import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { basic, firewallToken, freePort, root, Server } from '@palisade/tests'
import type { Extent } from './extent.ts'
import { compare, print } from './harness.ts'
import { requestsPerSecond } from './load.ts'

/** The mock that is served beside us; it is brought from the registry when it is first needed. */
const mock = { package: '@stoplight/prism-cli', version: '5.16.0' }

/**
 * Reading one service, and creating services durably, beside a mock of the same OpenAPI document, which keeps
 * nothing.
 */
export async function managementApi(extent: Extent): Promise<void> {
  const server = await Server.start()
  const headers = { ...basic(await firewallToken(server)), 'content-type': 'application/json' }
  let peer: ChildProcess | undefined
  const load = (url: string, script?: string) => requestsPerSecond(url, headers, extent, script)
  try {
    const ours = `${server.firewall}/restapi/v3.2`
    await createService(ours, headers, 'shop')
    const url = `http://127.0.0.1:${await freePort()}`
    peer = startMock(url, server.folder)
    const theirs = `${url}/restapi/v3.2`
    await untilItAnswers(`${theirs}/services/shop`, headers, peer)
    await createService(theirs, headers, 'shop')
    const reading = {
      title: 'GET services/{name}',
      unit: 'requests/s',
      peer: 'Prism',
      moreIsBetter: true,
      contenders: [
        { name: 'palisade', run: () => load(`${ours}/services/shop`) },
        { name: 'Prism', run: () => load(`${theirs}/services/shop`) },
      ],
    }
    print(reading, await compare(reading, extent))
    const creating = {
      title: 'POST services, stored durably here',
      unit: 'requests/s',
      peer: 'Prism',
      moreIsBetter: true,
      contenders: [
        { name: 'palisade', run: () => load(`${ours}/services`, creatingScript) },
        { name: 'Prism', run: () => load(`${theirs}/services`, creatingScript) },
      ],
    }
    print(creating, await compare(creating, extent))
  } finally {
    peer?.kill()
    await server.remove()
  }
}

/** Each request creates a service with a name of its own. */
const creatingScript = `
counter = 0
math.randomseed(os.time())
run = math.random(1, 1000000000)
wrk.method = "POST"
function request()
  counter = counter + 1
  return wrk.format(nil, nil, nil, string.format('{"name":"s-%d-%d","type":"HTTP","port":8080}', run, counter))
end
`

async function createService(url: string, headers: Record<string, string>, name: string): Promise<void> {
  const reply = await fetch(`${url}/services`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name, 'ip-address': '127.1.0.1', port: 80, type: 'HTTP' }),
  })
  if (reply.status !== 201) throw new Error(`the service was not created: ${await reply.text()}`)
}

/** Serves the committed OpenAPI document. */
function startMock(url: string, folder: string): ChildProcess {
  const document = join(root, 'clients', 'contract', 'openapi', 'firewall.json')
  const { hostname, port } = new URL(url)
  return spawn(mockProgram(), ['mock', '--port', port, '--host', hostname, document], {
    cwd: folder,
    stdio: 'ignore',
  })
}

/** Waits until the mock answers what is going to be measured: its first answer takes long. */
async function untilItAnswers(
  url: string,
  headers: Record<string, string>,
  mock: ChildProcess,
): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (mock.exitCode !== null) throw new Error(`the mock ended with ${mock.exitCode}`)
    const reply = await fetch(url, { headers }).catch(() => undefined)
    if (reply?.ok) return
    if (reply) throw new Error(`the mock answers with ${reply.status}: ${await reply.text()}`)
    await setTimeout(200)
  }
  throw new Error('the mock does not answer')
}

/**
 * The mock's program. It lies where nobody else can have put it: in the packages of this repository, of which it is none, since
 * it brings three hundred that only this needs.
 */
function mockProgram(): string {
  const folder = join(root, 'node_modules', '.cache', `prism-${mock.version}`)
  const program = join(folder, 'node_modules', '.bin', 'prism')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  // What its packages would do when they are installed is to tell somebody of it.
  const flags = ['--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  execFileSync('npm', ['install', ...flags, `${mock.package}@${mock.version}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return program
}
