import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { basic, firewallToken, root, Server } from '@palisade/tests'
import { compare, print } from './harness.ts'
import { requestsPerSecond, requireWrk } from './load.ts'

/** The mock that is served beside us; it is brought from the registry when it is first needed. */
const mock = { package: '@stoplight/prism-cli', version: '5.16.0' }

/**
 * Reading one service, and creating services durably, beside a mock of the same OpenAPI document, which keeps
 * nothing.
 */
export async function managementApi(rounds: number): Promise<void> {
  requireWrk()
  const server = await Server.start()
  const headers = { ...basic(await firewallToken(server)), 'content-type': 'application/json' }
  let peer: ChildProcess | undefined
  try {
    await createService(server, headers, 'shop')
    const started = await startMock(server.folder)
    peer = started.process
    const theirs = `${started.url}/restapi/v3.2`
    const ours = `${server.firewall}/restapi/v3.2`
    const reading = {
      title: 'GET services/{name}',
      unit: 'requests/s',
      peer: 'Prism',
      moreIsBetter: true,
      contenders: [
        { name: 'palisade', run: () => requestsPerSecond(`${ours}/services/shop`, headers) },
        { name: 'Prism', run: () => requestsPerSecond(`${theirs}/services/shop`, headers) },
      ],
    }
    print(reading, await compare(reading, rounds))
    const script = join(server.folder, 'create.lua')
    writeFileSync(script, creatingScript)
    const creating = {
      title: 'POST services, stored durably here',
      unit: 'requests/s',
      peer: 'Prism',
      moreIsBetter: true,
      contenders: [
        { name: 'palisade', run: () => requestsPerSecond(`${ours}/services`, headers, script) },
        { name: 'Prism', run: () => requestsPerSecond(`${theirs}/services`, headers, script) },
      ],
    }
    print(creating, await compare(creating, rounds))
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

async function createService(server: Server, headers: Record<string, string>, name: string): Promise<void> {
  const reply = await fetch(`${server.firewall}/restapi/v3.2/services`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name, 'ip-address': '127.1.0.1', port: 80, type: 'HTTP' }),
  })
  if (reply.status !== 201) throw new Error(`the service was not created: ${await reply.text()}`)
}

/** Serves the committed OpenAPI document on a free loopback port. */
async function startMock(folder: string): Promise<{ process: ChildProcess; url: string }> {
  const document = join(root, 'clients', 'contract', 'openapi', 'firewall.json')
  const port = await freePort()
  const child = spawn(mockProgram(), ['mock', '--port', String(port), '--host', '127.0.0.1', document], {
    cwd: folder,
    stdio: 'ignore',
  })
  const url = `http://127.0.0.1:${port}`
  for (let attempt = 0; attempt < 300; attempt++) {
    const answers = await fetch(url).then(
      () => true,
      () => false,
    )
    if (answers) return { process: child, url }
    if (child.exitCode !== null) throw new Error(`the mock ended with ${child.exitCode}`)
    await setTimeout(200)
  }
  child.kill()
  throw new Error('the mock does not answer')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (typeof address !== 'object' || address === null) throw new Error('no port is free')
  return address.port
}

function mockProgram(): string {
  const folder = join(tmpdir(), `palisade-bench-prism-${mock.version}`)
  const program = join(folder, 'node_modules', '.bin', 'prism')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  const wanted = `${mock.package}@${mock.version}`
  execFileSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', wanted], { stdio: 'ignore' })
  return program
}
