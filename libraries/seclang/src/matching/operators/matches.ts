import type { OperatorMatch } from './operator.ts'

/** The match of an operator that captures nothing. */
export const plainMatch: OperatorMatch = { captures: [] }

/** A match as some operators have it: nothing captured, only yes or no. */
export function matchIf(isMatch: boolean): OperatorMatch | undefined {
  return isMatch ? plainMatch : undefined
}
