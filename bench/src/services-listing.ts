import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { basic, firewallToken, Server } from '@palisade/tests'
import type { Extent } from './extent.ts'
import { compare, print } from './harness.ts'
import { requestsPerSecond } from './load.ts'

/** An authenticated `GET services` beside a bare route that answers the same bytes. */
export async function servicesListing(extent: Extent): Promise<void> {
  for (const count of extent.listedServices) await listing(count, extent)
}

async function listing(count: number, extent: Extent): Promise<void> {
  const server = await Server.start()
  let bare: ChildProcess | undefined
  try {
    const headers = { ...basic(await firewallToken(server)) }
    for (let number = 1; number <= count; number++) await createService(server, headers, number)
    const ours = `${server.firewall}/restapi/v3.2/services`
    const body = Buffer.from(await (await fetch(ours, { headers })).arrayBuffer())
    const file = join(server.folder, 'body.json')
    writeFileSync(file, body)
    bare = spawn(process.execPath, [fileURLToPath(new URL('./bare-route.js', import.meta.url)), file])
    const theirs = `${await firstLine(bare)}/services`
    const comparison = {
      title: `GET services, ${count} of them, ${(body.length / 1024).toFixed(1)} KiB`,
      unit: 'requests/s',
      peer: 'bare Fastify route',
      moreIsBetter: true,
      contenders: [
        { name: 'palisade, authenticated', run: () => requestsPerSecond(ours, headers, extent) },
        { name: 'bare Fastify route', run: () => requestsPerSecond(theirs, headers, extent) },
      ],
    }
    print(comparison, await compare(comparison, extent))
    console.log(`  peak memory of the server: ${(server.program.peakMemoryBytes() / 2 ** 20).toFixed(0)} MiB`)
  } finally {
    bare?.kill()
    await server.remove()
  }
}

async function createService(server: Server, headers: Record<string, string>, number: number): Promise<void> {
  const reply = await fetch(`${server.firewall}/restapi/v3.2/services`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: `service-${number}`,
      'ip-address': `127.1.${number >> 8}.${number & 255}`,
      port: 80,
      type: 'HTTP',
    }),
  })
  if (reply.status !== 201) throw new Error(`service ${number} was not created: ${await reply.text()}`)
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('the peer has no output')
  const [line] = await once(createInterface({ input: stdout }), 'line')
  return line
}
