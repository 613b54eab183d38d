// How long the Core Rule Set takes over a request and its answer, in this process and without HTTP:
//
//     node speed.js CASES.json
//
// where CASES.json is an array of SpeedCase. Prints an array of SpeedResult. CPU time is told, which a loaded machine changes
// little.
import { readFileSync } from 'node:fs'
import { loadRuleSet, type RuleSet } from '../rule-set.ts'
import { coreRuleSet } from './core-rule-set.ts'

/** A request and its answer; byte strings. */
export interface SpeedCase {
  readonly name: string
  readonly method: string
  readonly uri: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body?: string
  readonly response: { readonly type: string; readonly body: string }
}

/** What one case took. */
export interface SpeedResult {
  readonly name: string
  /** CPU time of the process, collecting its garbage included. */
  readonly microsecondsPerTransaction: number
}

/** Each case runs for so long, after a warm-up of half of it. */
const measuredMs = Number(process.env.PALISADE_SPEED_MS ?? 2_000)

const batchMs = 25

const connection = {
  clientAddress: '127.0.0.1',
  clientPort: 40_000,
  serverAddress: '127.0.0.1',
  serverPort: 80,
}

const ruleSet = loadRuleSet({ sources: coreRuleSet('SecRuleEngine On\nSecResponseBodyAccess On') })
const cases = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as readonly SpeedCase[]
const results = cases.map((given): SpeedResult => {
  const run = transactionOf(given, ruleSet)
  measure(run, measuredMs / 2)
  return { name: given.name, microsecondsPerTransaction: measure(run, measuredMs) }
})
process.stdout.write(`${JSON.stringify(results)}\n`)

function transactionOf({ method, uri, headers, body, response }: SpeedCase, rules: RuleSet): () => void {
  const bytes = body === undefined ? undefined : Buffer.from(body, 'latin1')
  const length = bytes === undefined ? [] : ['Content-Length', String(bytes.length)]
  const request = {
    method,
    uri,
    protocol: 'HTTP/1.1',
    headers: ['Host', 'shop.example.org', ...headers, ...length],
  }
  const answer = Buffer.from(response.body, 'latin1')
  const answerHeaders = ['Content-Type', response.type, 'Content-Length', String(answer.length)]
  return () => {
    const transaction = rules.newTransaction({ connection, uniqueId: 'speed' })
    transaction.requestHeaders(request) ??
      transaction.requestBody(bytes) ??
      transaction.responseHeaders({ status: 200, protocol: 'HTTP/1.1', headers: answerHeaders }) ??
      transaction.responseBody(transaction.wantsResponseBody ? answer : undefined)
    transaction.finish()
    if (transaction.matches.length > 0)
      throw new Error(`rule ${transaction.matches[0]?.ruleId} matched ${uri}`)
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
