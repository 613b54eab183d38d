import type { SnapshotPlace } from '@palisade/proxy-protocol'
import { number, textOr } from '../../kinds/conversions.ts'

/** Where a rule counts: hosts and conditions that it does not have fit everything. A kind names those that it has. */
export const placeMembers = {
  host: ['host', textOr('*')],
  url: ['url', textOr('/*')],
  extendedMatch: ['extended-match', textOr('*')],
  sequence: ['extended-match-sequence', number],
} as const

/** What stands in for members of a place that a kind does not have. */
export const everywhere: SnapshotPlace = { host: '*', url: '/*', extendedMatch: '*', sequence: 0 }

/** Most specific first: exact names before patterns, long patterns before short ones; then by sequence. */
export function inOrder<Rule extends SnapshotPlace>(rules: readonly Rule[]): Rule[] {
  return rules.toSorted(
    (one, other) =>
      specificity(other.host) - specificity(one.host) ||
      specificity(other.url) - specificity(one.url) ||
      one.sequence - other.sequence,
  )
}

function specificity(pattern: string): number {
  return pattern.includes('*') ? pattern.length : Number.MAX_SAFE_INTEGER
}
