import { performance } from 'node:perf_hooks'
import { setTimeout as passing } from 'node:timers/promises'
import { provisioned, Server } from '@palisade/tests'
import type { Extent } from './extent.ts'
import { compare, median, print } from './harness.ts'
import { filled } from './ten-thousand-services.ts'

/** The service that is changed; each has an address of its own. */
const changed = { name: 'service-5', address: '127.0.0.5' }

/** How often its new port is tried. */
const tryEveryMs = 2

/** How long it takes until the proxy obeys a change of one of many services, beside one of few. */
export async function carriedChanges(extent: Extent): Promise<void> {
  const { few, many, changes } = extent.carried
  const configuration = { ...provisioned, firewall: { ...provisioned.firewall, runProxy: true } }
  const servers: Server[] = []
  try {
    const contenders = []
    for (const [index, count] of [many, few].entries()) {
      const server = await Server.start(undefined, configuration)
      servers.push(server)
      const headers = await filled(server, count)
      contenders.push({
        name: `of ${count}`,
        run: () => medianChange(server, headers, changes, 8001 + 2 * index),
      })
    }
    const comparison = {
      title: 'PUT services/{name} with another port, until the proxy answers there',
      unit: 'ms',
      peer: `of ${few}`,
      moreIsBetter: false,
      contenders,
    }
    print(comparison, await compare(comparison, extent))
  } finally {
    for (const server of servers) await server.remove()
  }
}

/**
 * @param firstPort of two that the service has in turn
 * @returns milliseconds
 */
async function medianChange(
  server: Server,
  headers: Record<string, string>,
  changes: number,
  firstPort: number,
): Promise<number> {
  const times: number[] = []
  for (let change = 0; change < changes; change++) {
    const port = firstPort + (change % 2)
    const start = performance.now()
    const reply = await fetch(`${server.firewall}/restapi/v3.2/services/${changed.name}`, {
      method: 'PUT',
      headers,
      body: JSON.stringify({ port }),
    })
    if (!reply.ok) throw new Error(`the change was refused: ${await reply.text()}`)
    await reply.arrayBuffer()
    while (!(await answers(port))) await passing(tryEveryMs)
    times.push(performance.now() - start)
  }
  return median(times)
}

async function answers(port: number): Promise<boolean> {
  try {
    const reply = await fetch(`http://${changed.address}:${port}/`, { headers: { connection: 'close' } })
    await reply.arrayBuffer()
    return true
  } catch {
    return false
  }
}
