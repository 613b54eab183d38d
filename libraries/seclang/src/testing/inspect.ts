import type { Transaction } from '../engine/transaction.ts'
import type { Interruption, RuleMatch } from '../inspection/outcome.ts'
import { loadRuleSet, type RuleSet, type RuleSetOptions } from '../rule-set.ts'

/** A request as tests write it; what is left out is harmless. */
export interface TestRequest {
  readonly method?: string
  readonly uri?: string
  readonly headers?: readonly string[]
  readonly body?: string
  /** Of the answer. */
  readonly status?: number
  readonly responseHeaders?: readonly string[]
  readonly responseBody?: string
}

/** What became of it. */
export interface Inspected {
  readonly interruption: Interruption | undefined
  readonly matches: readonly RuleMatch[]
  /** Of the matches, in order. */
  readonly ids: readonly number[]
  /** The finished transaction. */
  readonly transaction: Transaction
}

/** Loads rules that are written in a test, with the engine on and bodies inspected. */
export function rulesOf(text: string, options: Partial<RuleSetOptions> = {}): RuleSet {
  const settings = 'SecRuleEngine On\nSecRequestBodyAccess On\nSecResponseBodyAccess On\n'
  return loadRuleSet({
    ...options,
    sources: [
      { name: 'settings', text: settings },
      { name: 'test.conf', text },
    ],
  })
}

/** Runs one request and its answer through all phases. */
export function inspect(ruleSet: RuleSet, request: TestRequest = {}): Inspected {
  const connection = {
    clientAddress: '192.0.2.1',
    clientPort: 1024,
    serverAddress: '192.0.2.2',
    serverPort: 80,
  }
  const transaction = ruleSet.newTransaction({ connection, uniqueId: 'unique' })
  const { method = 'GET', uri = '/', headers = ['Host', 'localhost'], body } = request
  const interruption =
    transaction.requestHeaders({ method, uri, protocol: 'HTTP/1.1', headers }) ??
    transaction.requestBody(body === undefined ? undefined : Buffer.from(body, 'latin1')) ??
    transaction.responseHeaders({
      status: request.status ?? 200,
      protocol: 'HTTP/1.1',
      headers: request.responseHeaders ?? ['Content-Type', 'text/html'],
    }) ??
    transaction.responseBody(Buffer.from(request.responseBody ?? '', 'latin1'))
  transaction.finish()
  const { matches } = transaction
  return { interruption, matches, ids: matches.map(({ ruleId }) => ruleId), transaction }
}

/** What the variables of a rule hold for a request: names and values. */
export function valuesOf(
  variables: string,
  request: TestRequest,
  settings = '',
): readonly (readonly [string, string])[] {
  const rules = rulesOf(`${settings}\nSecRule ${variables} "@unconditionalMatch" "id:1,phase:4,pass,log"`)
  return inspect(rules, request).matches.map(
    ({ targetName, targetValue }) => [targetName, targetValue] as const,
  )
}
