// How long the Core Rule Set takes over a request and its answer, in this process and without HTTP:
//
//     node speed.js CASES.json [RULES.conf]
//
// where CASES.json is an array of SpeedCase. With RULES.conf, which holds settings and rules as ModSecurity 3 takes them, it is
// that engine that judges. Prints an array of SpeedResult. CPU time is told, which a loaded machine changes little.
import { readFileSync } from 'node:fs'
import { openLibinjection } from '../libinjection/libinjection.ts'
import { enableLinearRegExpEngine } from '../matching/linear-engine.ts'
import { loadRuleSet } from '../rule-set.ts'
import { coreRuleSet } from './core-rule-set.ts'
import { libmodsecurity } from './libmodsecurity.ts'
import {
  connection,
  requestHeaders,
  responseHeaders,
  type SpeedCase,
  type SpeedEngine,
} from './speed-case.ts'

/** What one case took. */
export interface SpeedResult {
  readonly name: string
  /** CPU time of the process, collecting its garbage included. */
  readonly microsecondsPerTransaction: number
}

/** Each case runs for so long, after a warm-up of half of it. */
const measuredMs = Number(process.env.PALISADE_SPEED_MS ?? 2_000)

const batchMs = 25

enableLinearRegExpEngine()

const [casesFile = '', rulesFile] = process.argv.slice(2)
const engine = rulesFile === undefined ? seclang() : libmodsecurity(rulesFile)
const cases = JSON.parse(readFileSync(casesFile, 'utf8')) as readonly SpeedCase[]
const results = cases.map((speedCase): SpeedResult => {
  const run = engine(speedCase)
  measure(run, measuredMs / 2)
  return { name: speedCase.name, microsecondsPerTransaction: measure(run, measuredMs) }
})
process.stdout.write(`${JSON.stringify(results)}\n`)

/** This library. */
function seclang(): SpeedEngine {
  const rules = loadRuleSet({
    sources: coreRuleSet('SecRuleEngine On\nSecResponseBodyAccess On'),
    injections: openLibinjection(),
  })
  return (speedCase) => {
    const { method, uri } = speedCase
    const body = speedCase.body === undefined ? undefined : Buffer.from(speedCase.body, 'latin1')
    const request = { method, uri, protocol: 'HTTP/1.1', headers: requestHeaders(speedCase) }
    const answer = Buffer.from(speedCase.response.body, 'latin1')
    const answerHeaders = responseHeaders(speedCase)
    return () => {
      const transaction = rules.newTransaction({ connection, uniqueId: 'speed' })
      transaction.requestHeaders(request) ??
        transaction.requestBody(body) ??
        transaction.responseHeaders({ status: 200, protocol: 'HTTP/1.1', headers: answerHeaders }) ??
        transaction.responseBody(transaction.wantsResponseBody ? answer : undefined)
      transaction.finish()
      if (transaction.matches.length > 0)
        throw new Error(`rule ${transaction.matches[0]?.ruleId} matched ${uri}`)
    }
  }
}

/** @returns microseconds of CPU time each: the quarter of the batches was quicker, so that what others do counts for little */
function measure(run: () => void, durationMs: number): number {
  const until = performance.now() + durationMs
  const batches: number[] = []
  while (batches.length === 0 || performance.now() < until) batches.push(timeBatch(run))
  return batches.toSorted((one, other) => one - other)[Math.floor(batches.length / 4)] ?? Number.NaN
}

function timeBatch(run: () => void): number {
  const end = performance.now() + batchMs
  const before = process.cpuUsage()
  let count = 0
  for (; count === 0 || performance.now() < end; count++) run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / count
}
