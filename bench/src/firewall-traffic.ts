import { setTimeout as pause } from 'node:timers/promises'
import { newFolder } from '@palisade/tests'
import type { Extent } from './extent.ts'
import { median } from './harness.ts'
import { type TrafficCase, trafficCases } from './traffic/cases.ts'
import { type Engine, startCaddy, startNginx, startPalisade, startUpstream } from './traffic/engines.ts'
import { load, type Measured } from './traffic/load.ts'
import { printMemory } from './traffic/memory.ts'

const peer = 'nginx with ModSecurity'

/** Those of our proxy, in the order in which they are started. */
const processNames = ['palisade, primary', 'palisade, worker', 'palisade, spare']

/**
 * Our proxy with one worker beside nginx with ModSecurity 3, all with the same Core Rule Set, and beside nginx, Caddy and itself
 * without rules. The engine under test has one core, load and server the other. Where others load the machine, look at the CPU
 * time per request.
 */
export async function firewallTraffic(extent: Extent): Promise<void> {
  const folder = newFolder()
  const started: Engine[] = []
  const keep = async (engine: Promise<Engine>) => {
    started.push(await engine)
    return engine
  }
  try {
    const upstream = (await keep(startUpstream(folder))).port
    const palisade = await keep(startPalisade(folder, upstream, true))
    console.log(`\n  memory in MiB ${''.padEnd(33)}  resident     share       own      peak`)
    printMemory('at the first answer', processNames, palisade.process.pids())
    const nginx = await keep(startNginx(folder, upstream, true))
    const engines = [
      palisade,
      nginx,
      await keep(startPalisade(folder, upstream, false)),
      await keep(startNginx(folder, upstream, false)),
      await keep(startCaddy(folder, upstream)),
    ]
    const printAll = (moment: string) => {
      printMemory(moment, processNames, palisade.process.pids())
      printMemory(moment, [nginx.name], nginx.process.pids())
    }
    printAll('before the load')
    for (const trafficCase of trafficCases) await compareEngines(engines, trafficCase, extent, folder)
    console.log()
    printAll('after the load')
    await pause(extent.traffic.restSeconds * 1000)
    printAll(`${extent.traffic.restSeconds} s later`)
  } finally {
    for (const { process } of started) await process.stop()
  }
}

/** All engines in turn, in each round, after the round in which they get warm: ours compiles what is used often. */
async function compareEngines(
  engines: readonly Engine[],
  trafficCase: TrafficCase,
  { rounds, warmUpRounds, traffic, loadRequests }: Extent,
  folder: string,
): Promise<void> {
  const figures = new Map<string, Measured[]>(engines.map(({ name }) => [name, []]))
  for (let round = 1 - warmUpRounds; round <= rounds; round++) {
    for (const engine of engines) {
      const seconds = round > 0 ? traffic.measuredSeconds : traffic.warmUpSeconds
      const measured = await load(engine, trafficCase, folder, seconds, loadRequests)
      if (round > 0) figures.get(engine.name)?.push(measured)
    }
  }
  const peers = figures.get(peer) ?? []
  console.log(
    `\n${trafficCase.name}, 32 connections (medians of ${rounds} rounds; × is the median ratio to ${peer})`,
  )
  console.log(`  ${''.padEnd(24)} requests/s      ×   p50 ms   p99 ms   CPU µs/request      × in CPU time`)
  for (const [name, measured] of figures) {
    const middle = (of: (one: Measured) => number) => median(measured.map(of))
    const ratio = (of: (one: Measured) => number) =>
      median(measured.map((one, round) => of(one) / of(peers[round] ?? one)))
    const columns = [
      middle((one) => one.requestsPerSecond)
        .toFixed(0)
        .padStart(10),
      ratio((one) => one.requestsPerSecond)
        .toFixed(2)
        .padStart(6),
      middle((one) => one.p50Ms)
        .toFixed(2)
        .padStart(8),
      middle((one) => one.p99Ms)
        .toFixed(2)
        .padStart(8),
      middle((one) => one.cpuPerRequestUs)
        .toFixed(0)
        .padStart(16),
      ratio((one) => 1 / one.cpuPerRequestUs)
        .toFixed(2)
        .padStart(18),
    ]
    console.log(`  ${name.padEnd(24)} ${columns.join(' ')}`)
  }
}
