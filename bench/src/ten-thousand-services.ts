import { performance } from 'node:perf_hooks'
import { basic, firewallToken, Server } from '@palisade/tests'
import type { Extent } from './extent.ts'
import { compare, print } from './harness.ts'
import { requestsPerSecond } from './load.ts'

/**
 * A configuration of ten thousand services beside one of ten: reading one of them, changing one, starting, and the
 * memory that it takes.
 */
export async function tenThousandServices(extent: Extent): Promise<void> {
  const { few, many, changes } = extent.configurations
  const small = new Installation(await Server.start())
  const large = new Installation(await Server.start())
  try {
    const smallHeaders = await filled(small.server, few)
    const largeHeaders = await filled(large.server, many)
    const read = (server: Server, headers: Record<string, string>) =>
      requestsPerSecond(address(server, 5), headers, extent)
    const change = (server: Server, headers: Record<string, string>) =>
      changeTime(server, headers, changes, few)
    const reading = {
      title: 'GET services/{name}',
      unit: 'requests/s',
      peer: `of ${few}`,
      moreIsBetter: true,
      contenders: [
        { name: `of ${many}`, run: () => read(large.server, largeHeaders) },
        { name: `of ${few}`, run: () => read(small.server, smallHeaders) },
      ],
    }
    print(reading, await compare(reading, extent))
    const changing = {
      title: 'PUT services/{name}, until it is acknowledged and shown',
      unit: 'ms',
      peer: `of ${few}`,
      moreIsBetter: false,
      contenders: [
        { name: `of ${many}`, run: () => change(large.server, largeHeaders) },
        { name: `of ${few}`, run: () => change(small.server, smallHeaders) },
      ],
    }
    print(changing, await compare(changing, extent))
    const starting = {
      title: 'start, until /readyz',
      unit: 's',
      peer: `of ${few}`,
      moreIsBetter: false,
      contenders: [
        { name: `of ${many}`, run: () => large.restart() },
        { name: `of ${few}`, run: () => small.restart() },
      ],
    }
    print(starting, await compare(starting, extent))
    const peak = ({ server }: Installation) =>
      `${(server.program.peakMemoryBytes() / 2 ** 20).toFixed(0)} MiB`
    console.log(`  peak memory since the last start: ${peak(large)} with ${many}, ${peak(small)} with ${few}`)
  } finally {
    await small.server.remove()
    await large.server.remove()
  }
}

/** A server that is started again on the same folder. */
class Installation {
  server: Server

  constructor(server: Server) {
    this.server = server
  }

  /** @returns how long the start took, in seconds */
  async restart(): Promise<number> {
    const { folder, program } = this.server
    await program.stop()
    const start = performance.now()
    this.server = await Server.start(folder)
    return (performance.now() - start) / 1000
  }
}

/**
 * Creates services.
 *
 * @returns the headers of an administrator's requests
 */
export async function filled(server: Server, count: number): Promise<Record<string, string>> {
  const headers = { ...basic(await firewallToken(server)), 'content-type': 'application/json' }
  for (let next = 0; next < count; next += 20) {
    const numbers = Array.from({ length: Math.min(20, count - next) }, (_, index) => next + index)
    await Promise.all(numbers.map((number) => create(server, headers, number)))
  }
  return headers
}

async function create(server: Server, headers: Record<string, string>, number: number): Promise<void> {
  const reply = await fetch(`${server.firewall}/restapi/v3.2/services`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      name: `service-${number}`,
      'ip-address': `127.${number >> 16}.${(number >> 8) & 255}.${number & 255}`,
      port: 80,
    }),
  })
  if (reply.status !== 201) throw new Error(`service ${number} was not created: ${await reply.text()}`)
  await reply.arrayBuffer()
}

function address(server: Server, number: number): string {
  return `${server.firewall}/restapi/v3.2/services/service-${number}`
}

/** The longest of several changes, which go round among the first services. @returns milliseconds */
async function changeTime(
  server: Server,
  headers: Record<string, string>,
  changes: number,
  services: number,
): Promise<number> {
  const times: number[] = []
  for (let change = 0; change < changes; change++) {
    const comments = `changed at ${performance.now()}`
    const start = performance.now()
    await fetch(address(server, change % services), {
      method: 'PUT',
      headers,
      body: JSON.stringify({ comments }),
    })
    const shown = await (await fetch(address(server, change % services), { headers })).text()
    times.push(performance.now() - start)
    if (!shown.includes(comments)) throw new Error('the change is not shown')
  }
  return Math.max(...times)
}
