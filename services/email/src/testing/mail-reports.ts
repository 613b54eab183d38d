import assert from 'node:assert/strict'
import { call, type TestService } from './email-service.ts'

/** What a report counts of one kind, as a reporter sends it. */
export interface Count {
  direction: string
  action: string
  threatType: string
  reason: string
  at: string
  count: number
}

/** Messages that came in and were allowed, unless said otherwise. */
export function messages(at: string, count = 1, more: Partial<Count> = {}): Count {
  return { direction: 'inbound', action: 'allowed', threatType: 'none', reason: 'none', at, count, ...more }
}

/** The usual domain. */
export const domain = '5584599/ess/domains/4'

/** Sends a report, whatever it is. */
export function sendReport(served: TestService, body: unknown, path = domain) {
  return call(served, `${path}/statistics`, 'POST', body)
}

let reportsMade = 0

/** Reports what is new. */
export async function report(served: TestService, counts: readonly Count[], path = domain): Promise<void> {
  reportsMade++
  const name = `report-${reportsMade}`
  const { status, text } = await sendReport(served, { report: name, counts }, path)
  assert.deepEqual([status, text], [200, JSON.stringify({ report: name, isNew: true })])
}

/** The statistics of the usual domain, unless said otherwise. */
export async function statistics(served: TestService, query = '', path = domain) {
  const { status, json } = await call(served, `${path}/statistics${query}`)
  assert.equal(status, 200, JSON.stringify(json))
  return json
}
