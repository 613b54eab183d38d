import type { Transaction } from '../engine/transaction.ts'
import type { Interruption, RuleMatch } from '../inspection/outcome.ts'
import type { RuleExclusions } from '../inspection/rule-exclusions.ts'
import type { RuleSet } from '../rule-set.ts'
import { caseRequest } from './case-request.ts'
import { type ParsedRequest, parseRequest, type ReadableRequest } from './parse-request.ts'
import type { CaseOutput, CaseStage, RegressionCase } from './regression-case.ts'

/** What became of a request. */
export interface StageResult {
  /** Of the rules that were logged, in order, one for each target. */
  readonly ruleIds: readonly number[]
  readonly interruption: Interruption | undefined
  /** Why it never came to the rules. */
  readonly refusedBecause?: string
}

/** Why a case does not pass, or undefined when it does. */
export function failureOf(regressionCase: RegressionCase, ruleSet: RuleSet): string | undefined {
  for (const { input, output } of regressionCase.stages) {
    const failure = compare(runStage({ input, output }, ruleSet), output)
    if (failure !== undefined) return failure
  }
  return undefined
}

/** Runs one request, and an empty page in answer, through all phases. */
export function runStage({ input }: CaseStage, ruleSet: RuleSet): StageResult {
  return runRequest(caseRequest(input), ruleSet)
}

/** The same for a request as bytes. @param exclusions what the rules leave out */
export function runRequest(bytes: Buffer, ruleSet: RuleSet, exclusions?: RuleExclusions): StageResult {
  return inspect(parseRequest(bytes), ruleSet, exclusions)
}

/** Who talks to whom, as far as cases care. */
export const connection = {
  clientAddress: '127.0.0.1',
  clientPort: 40_000,
  serverAddress: '127.0.0.1',
  serverPort: 80,
}

function inspect(request: ParsedRequest, ruleSet: RuleSet, exclusions?: RuleExclusions): StageResult {
  if ('refusedBecause' in request) return { ruleIds: [], interruption: undefined, ...request }
  const { matches, interruption } = finished(request, ruleSet, exclusions)
  return { ruleIds: matches.filter(({ isLogged }) => isLogged).map(({ ruleId }) => ruleId), interruption }
}

/** The matches of a request as bytes; none when no server could read it. */
export function matchesOf(bytes: Buffer, ruleSet: RuleSet): readonly RuleMatch[] {
  const request = parseRequest(bytes)
  return 'refusedBecause' in request ? [] : finished(request, ruleSet).matches
}

function finished(
  { head, body }: ReadableRequest,
  ruleSet: RuleSet,
  exclusions?: RuleExclusions,
): Transaction {
  const transaction = ruleSet.newTransaction({ connection, ...(exclusions ? { exclusions } : {}) })
  const response = { status: 200, protocol: 'HTTP/1.1', headers: ['Content-Type', 'text/html'] }
  transaction.requestHeaders(head) ??
    transaction.requestBody(body) ??
    transaction.responseHeaders(response) ??
    transaction.responseBody(Buffer.from('hello\n'))
  transaction.finish()
  return transaction
}

function compare(result: StageResult, output: CaseOutput): string | undefined {
  const { log_contains: logPatterns, no_log_contains: unwanted, status } = output
  if (logPatterns !== undefined && !logHas(result, logPatterns)) return `the log lacks ${logPatterns}`
  if (unwanted !== undefined && logHas(result, unwanted)) return `the log has ${unwanted}`
  if (status !== undefined && !isStatus(result, [status].flat()))
    return `the status is ${statusOf(result)}, not ${status}`
  if (output.expect_error && result.refusedBecause === undefined && result.interruption === undefined) {
    return 'the request went through, though a connection without an answer was expected'
  }
  return undefined
}

function logHas({ ruleIds }: StageResult, text: string): boolean {
  const id = /id[ :]"?(\d+)/.exec(text)?.[1]
  if (id === undefined) throw new Error(`the case asks the log for something else than a rule: ${text}`)
  return ruleIds.includes(Number(id))
}

function isStatus(result: StageResult, expected: readonly number[]): boolean {
  return expected.includes(statusOf(result))
}

function statusOf({ interruption, refusedBecause }: StageResult): number {
  if (refusedBecause !== undefined) return 400
  return interruption?.status ?? 200
}
