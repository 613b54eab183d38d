import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { endAfter } from '../load.ts'
import type { TrafficCase } from './cases.ts'
import { loadCore } from './cores.ts'
import type { Engine } from './engines.ts'
import { ticksPerSecond } from './processes.ts'

/** What one run of load showed. */
export interface Measured {
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** CPU time of the engine, in microseconds. */
  readonly cpuPerRequestUs: number
}

const connections = 32

/** How many different requests are sent in turn, so that no engine lives on having seen them before. */
const variants = 500

/**
 * Sends one case to an engine, from the other core.
 *
 * @param seconds how long, a whole number
 * @param requestLimit after how many it sends no more
 */
export async function load(
  engine: Engine,
  trafficCase: TrafficCase,
  folder: string,
  seconds: number,
  requestLimit: number,
): Promise<Measured> {
  const script = scriptOf(trafficCase, folder, requestLimit)
  const before = engine.process.cpuSeconds()
  const { stdout } = await promisify(execFile)('taskset', [
    '-c',
    String(loadCore),
    'wrk',
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout',
    '20s',
    '-s',
    script,
    `http://127.0.0.1:${engine.port}`,
  ])
  // A short load may end within a tick.
  const cpuSeconds = Math.max(engine.process.cpuSeconds() - before, 1 / ticksPerSecond)
  const [requests = 0, durationUs = 1, p50Us = 0, p99Us = 0, failed = 0] = (
    /measured ([\d. ]+)/.exec(stdout)?.[1] ?? ''
  )
    .split(' ')
    .map(Number)
  if (failed > 0 || requests === 0)
    throw new Error(`${engine.name}, ${trafficCase.name}: ${failed} failed:\n${stdout}`)
  return {
    requestsPerSecond: requests / (durationUs / 1e6),
    p50Ms: p50Us / 1000,
    p99Ms: p99Us / 1000,
    cpuPerRequestUs: (cpuSeconds * 1e6) / requests,
  }
}

/** A script in wrk's Lua that sends requests from a file, and prints what wrk measured. */
function scriptOf(trafficCase: TrafficCase, folder: string, requestLimit: number): string {
  const name = join(folder, `load-${trafficCase.name.replace(/\W/g, '-')}`)
  const requests = Array.from({ length: variants }, (_, number) => requestOf(trafficCase, number))
  writeFileSync(`${name}.txt`, requests.join('\0'), 'latin1')
  writeFileSync(
    `${name}.lua`,
    `local requests = {}
for one in io.open("${name}.txt", "rb"):read("*a"):gmatch("[^%z]+") do requests[#requests + 1] = one end
local next = 0
function request()
  next = next % #requests + 1
  return requests[next]
end
function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format("measured %d %d %d %d %d\\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), failed))
end
${endAfter(requestLimit)}`,
  )
  return `${name}.lua`
}

/** A request as it goes over the wire. Every \`#\` in it is another number in each variant. */
function requestOf({ method, uri, headers, body }: TrafficCase, variant: number): string {
  let random = variant + 1
  const vary = (text: string) =>
    text.replaceAll('#', () => {
      random = (random * 48_271) % 0x7fff_ffff
      return String(random % 100_000)
    })
  const varied = body === undefined ? undefined : vary(body)
  const lines = [`${method} ${vary(uri)} HTTP/1.1`, 'Host: shop.example.org']
  for (let at = 0; at + 1 < headers.length; at += 2)
    lines.push(`${headers[at]}: ${vary(headers[at + 1] ?? '')}`)
  if (varied !== undefined) lines.push(`Content-Length: ${varied.length}`)
  return `${lines.join('\r\n')}\r\n\r\n${varied ?? ''}`
}
