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

/** Processor time for each request, in milliseconds. */
interface RequestCost {
  readonly asked: number
  /** At the other server. */
  readonly other: number
}

/** So many clients ask at once, where it is measured what requests cost. */
const clientsAtOnce = 4

/** Of so many requests one is a change, where it is measured what requests cost; undefined for reads alone. */
type RequestsPerChange = number | undefined
const mixtures: readonly RequestsPerChange[] = [undefined, 20, 1]

/**
 * Reads at one server while another one on the same PostgreSQL makes a change a second, beside a server that is alone and does both;
 * changes that are made in turn at both, beside all at the one; and what requests cost by the processor time of the servers' own
 * processes: at the server that is asked, and meanwhile at the other one. How much two carry follows from it.
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
      figures: new Map<string, RequestCost[]>(Object.keys(contenders).map((name) => [name, []])),
    }))
    for (let round = 1 - extent.warmUpRounds; round <= extent.rounds; round++) {
      for (const [name, { writer, reader }] of Object.entries(contenders)) {
        const times = await readsBesideChanges(writer, reader, extent.severalServers.seconds)
        const inTurn = await changesInTurn([writer, reader], extent.severalServers.changes)
        for (const { requestsPerChange, figures: ofMixture } of carried) {
          const cost = await costOfRequests([writer, reader], requestsPerChange, extent.severalServers)
          if (round >= 1) ofMixture.get(name)?.push(cost)
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
      printCosts(describe(requestsPerChange), ofMixture)
    }
  } finally {
    for (const server of started) await server.remove()
    await postgres.stop()
  }
}

function describe(requestsPerChange: RequestsPerChange): string {
  if (requestsPerChange === undefined) return 'reads'
  return requestsPerChange === 1 ? 'changes' : `requests of which one in ${requestsPerChange} is a change`
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

/**
 * Asks first the one and then the other, so that only one of them works at a time, as where there is only one: what several processes
 * take from each other on few processors is no cost of a request.
 *
 * @param nodes two, which may be the same server
 * @returns milliseconds of processor time for each request
 */
async function costOfRequests(
  nodes: readonly [Node, Node],
  requestsPerChange: RequestsPerChange,
  extent: { readonly requests: number },
): Promise<RequestCost> {
  // A change takes several times as long as a read.
  const requests = requestsPerChange === 1 ? extent.requests / 10 : extent.requests
  const cost = { asked: 0, other: 0 }
  for (const node of nodes) {
    const before = new Map([...new Set(nodes)].map((one) => [one, cpuSecondsOf(one.server.program.pid)]))
    await ask(node, requests / nodes.length, requestsPerChange)
    for (const [one, seconds] of before) {
      cost[one === node ? 'asked' : 'other'] += cpuSecondsOf(one.server.program.pid) - seconds
    }
  }
  return { asked: (cost.asked * 1000) / requests, other: (cost.other * 1000) / requests }
}

/** So many clients ask at once; they make changes one after the other, since of changes that two servers make in one moment one is made twice. */
async function ask(node: Node, requests: number, requestsPerChange: RequestsPerChange): Promise<void> {
  let next = 0
  let lastChange: Promise<void> = Promise.resolve()
  const client = async () => {
    while (next < requests) {
      const number = next++
      if (requestsPerChange !== undefined && number % requestsPerChange === 0) {
        lastChange = lastChange.then(() => changed(node, number))
        await lastChange
      } else await read(node)
    }
  }
  await Promise.all(Array.from({ length: clientsAtOnce }, client))
}

/** Prints what requests cost, and how much two servers carry that are asked equally often: each answers one half, and hears of the other. */
function printCosts(requests: string, costs: ReadonlyMap<string, readonly RequestCost[]>): void {
  const ofTwo = costs.get('two servers') ?? []
  const ofOne = costs.get('one server') ?? []
  const peer = 'one server'
  print(
    { title: `processor time of a server for each of ${requests}`, unit: 'ms', peer, moreIsBetter: false },
    summarise(
      new Map([
        ['asked, of two servers', ofTwo.map(({ asked }) => asked)],
        ['not asked, of two servers', ofTwo.map(({ other }) => other)],
        [peer, ofOne.map(({ asked }) => asked)],
      ]),
      peer,
    ),
  )
  print(
    {
      title: `${requests}, in a second of each server's processor time`,
      unit: 'requests',
      peer,
      moreIsBetter: true,
    },
    summarise(
      new Map([
        ['two servers', ofTwo.map(({ asked, other }) => 2000 / (asked + other))],
        [peer, ofOne.map(({ asked }) => 1000 / asked)],
      ]),
      peer,
    ),
  )
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
