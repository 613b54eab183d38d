import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { startPostgres } from '@palisade/platform/testing'
import { newFolder, provisioned, Server } from '@palisade/tests'
import type { Extent } from './extent.ts'
import { print, summarise } from './harness.ts'
import { cpuSecondsOf } from './measure.ts'
import { filled } from './ten-thousand-services.ts'

/** A server, and what its requests carry. */
interface Node {
  readonly server: Server
  readonly headers: Record<string, string>
}

/** So many clients ask each server at once, where it is measured how much servers carry. */
const clientsOfServer = 4

/** Of so many requests one is a change, where it is measured how much servers carry; undefined for reads alone. */
type RequestsPerChange = number | undefined
const mixtures: readonly RequestsPerChange[] = [undefined, 20, 1]

/**
 * Reads at one server while another one on the same PostgreSQL makes a change a second, beside a server that is alone and does both;
 * changes that are made in turn at both, beside all at the one; and how much both carry, by the processor time of the busier one: of reads
 * alone, of both, and of changes alone.
 */
export async function severalServers(extent: Extent): Promise<void> {
  const { services } = extent.severalServers
  const postgres = await startPostgres()
  if (!postgres) throw new Error('PostgreSQL is not installed: apt-get install postgresql')
  const started: Server[] = []
  try {
    const start = async (database: string, folder?: string) => {
      const server = await Server.start(folder, { ...provisioned, database, backup: { serve: false } })
      started.push(server)
      return server
    }
    const shared = await postgres.newDatabase()
    const filler = await start(shared)
    const headers = await filled(filler, services)
    await filler.program.stop()
    const copied = await postgres.newDatabase(shared)
    const [a, b, alone] = [
      await start(shared, folderWithKeyOf(filler)),
      await start(shared, folderWithKeyOf(filler)),
      await start(copied, folderWithKeyOf(filler)),
    ]
    const pair = { writer: { server: a, headers }, reader: { server: b, headers } }
    const one = { server: alone, headers }
    const contenders = { 'two servers': pair, 'one server': { writer: one, reader: one } }
    const figures = {
      p50: emptyFigures(contenders),
      p99: emptyFigures(contenders),
      inTurn: emptyFigures(contenders),
    }
    const carried = mixtures.map((requestsPerChange) => ({
      requestsPerChange,
      figures: emptyFigures(contenders),
    }))
    for (let round = 1 - extent.warmUpRounds; round <= extent.rounds; round++) {
      for (const [name, { writer, reader }] of Object.entries(contenders)) {
        const times = await readsBesideChanges(writer, reader, extent.severalServers.seconds)
        const inTurn = await changesInTurn([writer, reader], extent.severalServers.changes)
        for (const { requestsPerChange, figures: ofMixture } of carried) {
          const servers = [...new Set([writer, reader])]
          const requests = await requestsPerSecondOfCpu(servers, requestsPerChange, extent.severalServers)
          if (round >= 1) ofMixture.get(name)?.push(requests)
        }
        if (round < 1) continue
        figures.p50.get(name)?.push(percentile(times, 50))
        figures.p99.get(name)?.push(percentile(times, 99))
        figures.inTurn.get(name)?.push(percentile(inTurn, 50))
      }
    }
    const about = { unit: 'ms', peer: 'one server', moreIsBetter: false }
    const titles = {
      p50: `GET services/{name} of ${services} at B while A makes a change a second, p50`,
      p99: `GET services/{name} of ${services} at B while A makes a change a second, p99`,
      inTurn: `PUT services/{name} of ${services}, at A and B in turn, p50`,
    }
    for (const key of ['p50', 'p99', 'inTurn'] as const) {
      print({ ...about, title: titles[key] }, summarise(figures[key], about.peer))
    }
    for (const { requestsPerChange, figures: ofMixture } of carried) {
      const title = `${describe(requestsPerChange)}, in a second of the busiest server's processor time`
      print(
        { title, unit: 'requests', peer: about.peer, moreIsBetter: true },
        summarise(ofMixture, about.peer),
      )
    }
  } finally {
    for (const server of started) await server.remove()
    await postgres.stop()
  }
}

function describe(requestsPerChange: RequestsPerChange): string {
  if (requestsPerChange === undefined) return 'reads alone'
  return requestsPerChange === 1
    ? 'changes alone'
    : `requests of which one in ${requestsPerChange} is a change`
}

/** Servers of one installation share its secret. */
function folderWithKeyOf({ dataDirectory }: Server): string {
  const folder = newFolder()
  mkdirSync(join(folder, 'data'), { mode: 0o700 })
  copyFileSync(join(dataDirectory, 'secret.key'), join(folder, 'data', 'secret.key'))
  return folder
}

function emptyFigures(contenders: object): Map<string, number[]> {
  return new Map(Object.keys(contenders).map((name) => [name, []]))
}

/** @returns how long each read took, in milliseconds */
async function readsBesideChanges(writer: Node, reader: Node, seconds: number): Promise<number[]> {
  const end = performance.now() + seconds * 1000
  const changing = (async () => {
    for (let change = 0; performance.now() < end; change++) {
      await changed(writer, change)
      await setTimeout(1000)
    }
  })()
  const times: number[] = []
  while (performance.now() < end) {
    const start = performance.now()
    await read(reader)
    times.push(performance.now() - start)
    // Few enough that a read waits for a change, and not for other reads.
    await setTimeout(2)
  }
  await changing
  return times
}

/** @returns how long each change took, in milliseconds */
async function changesInTurn(nodes: readonly Node[], changes: number): Promise<number[]> {
  const times: number[] = []
  for (let change = 0; change < changes; change++) {
    for (const node of nodes) {
      const start = performance.now()
      await changed(node, change)
      times.push(performance.now() - start)
    }
  }
  return times
}

/** As many requests to each server, changes one after the other. @returns how many, by each second of processor time that the busiest server took for all */
async function requestsPerSecondOfCpu(
  nodes: readonly Node[],
  requestsPerChange: RequestsPerChange,
  extent: { readonly requests: number },
): Promise<number> {
  // A change takes ten times as long as a read.
  const requests = requestsPerChange === 1 ? extent.requests / 10 : extent.requests
  const before = nodes.map(({ server }) => cpuSecondsOf(server.program.pid))
  // Of changes that are made at two servers in one moment one is made twice.
  let lastChange: Promise<void> = Promise.resolve()
  // A server that waits for requests now and then pays more for each than one that is busy: all are asked by as many clients.
  const ask = async (node: Node, index: number) => {
    let next = index
    const client = async () => {
      while (next < requests) {
        const number = next
        next += nodes.length
        if (isChange(number, nodes.length, requestsPerChange)) {
          lastChange = lastChange.then(() => changed(node, number))
          await lastChange
        } else await read(node)
      }
    }
    await Promise.all(Array.from({ length: clientsOfServer }, client))
  }
  await Promise.all(nodes.map(ask))
  // What the last change costs the others.
  await setTimeout(1500)
  const taken = nodes.map(({ server }, index) => cpuSecondsOf(server.program.pid) - (before[index] ?? 0))
  return requests / Math.max(...taken)
}

/** Each server makes as many changes as the others, and none in the same moment. */
function isChange(number: number, nodes: number, requestsPerChange: RequestsPerChange): boolean {
  if (requestsPerChange === undefined) return false
  const offset = Math.floor(((number % nodes) * requestsPerChange) / nodes)
  return (Math.floor(number / nodes) + offset) % requestsPerChange === 0
}

async function read(node: Node): Promise<void> {
  const reply = await fetch(addressOf(node, 0), { headers: node.headers })
  await reply.arrayBuffer()
  if (reply.status !== 200) throw new Error(`a read was answered ${reply.status}`)
}

async function changed(node: Node, change: number): Promise<void> {
  const reply = await fetch(addressOf(node, change % 10), {
    method: 'PUT',
    headers: node.headers,
    body: JSON.stringify({ comments: `changed at ${performance.now()}` }),
  })
  if (reply.status !== 200) throw new Error(`a change was answered: ${await reply.text()}`)
  await reply.arrayBuffer()
}

function addressOf({ server }: Node, number: number): string {
  return `${server.firewall}/restapi/v3.2/services/service-${number}`
}

function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
}
