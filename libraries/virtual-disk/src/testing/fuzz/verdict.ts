import assert from 'node:assert/strict'
import { DiskFailure } from '../../failure.ts'
import type { Finding } from '../../finding.ts'

/** Holds findings to what they promise: a sentence, and a place. */
export function assertClear({ message, offsetBytes }: Finding): void {
  assert.ok(message.length > 10, message)
  assert.ok(Number.isInteger(offsetBytes) && offsetBytes >= 0, `${message}: ${offsetBytes}`)
  assert.doesNotMatch(message, /undefined|NaN|\[object/)
}

/** What a check finds no error in can be read; only another parent is beyond its sight. */
export function assertConsistent(findings: readonly Finding[], failure: DiskFailure | undefined): void {
  if (failure === undefined || failure.code.startsWith('parent-')) return
  assert.doesNotMatch(failure.message, /undefined|NaN|\[object/)
  assert.ok(
    findings.some(({ severity }) => severity === 'error'),
    `the check missed ${failure.code}: ${failure.message}`,
  )
}

/** Our failure, if the action has one; any other error is thrown on. */
export async function failureOf(action: () => Promise<unknown>): Promise<DiskFailure | undefined> {
  try {
    await action()
    return undefined
  } catch (error) {
    if (error instanceof DiskFailure) return error
    throw error
  }
}
