/** What came of a check for the record of a domain; reasons are sentences for its owner. */
export type CheckResult =
  | { readonly kind: 'found' }
  /** DNS answered, and the record is not there. */
  | { readonly kind: 'absent'; readonly reason: string }
  /** DNS did not answer, which says nothing about the record. */
  | { readonly kind: 'unanswered'; readonly reason: string }
  /** The record is there, and the name is somebody else's. */
  | { readonly kind: 'elsewhere'; readonly reason: string }

/** The outcome where another account has verified the same name already. */
export const verifiedElsewhere: CheckResult = {
  kind: 'elsewhere',
  reason:
    'The record is there, but the name is VERIFIED elsewhere already, and it can be so for one account only.',
}

/** How a verification stands by its checks so far. */
export interface VerificationState {
  /** Milliseconds since 1970; null while the domain is UNVERIFIED. */
  readonly verifiedAt: number | null
  /** Checks in a row to which DNS answered without the record. */
  readonly misses: number
  /** Why the last check did not find the record; null when it did. */
  readonly failure: string | null
}

/** How many misses in a row end a verification: a zone that is mended within days harms nobody. */
const missesMax = 3

/** How it stands after one more check. */
export function stateAfter(
  { verifiedAt, misses }: VerificationState,
  result: CheckResult,
  now: number,
): VerificationState {
  switch (result.kind) {
    case 'found':
      return { verifiedAt: verifiedAt ?? now, misses: 0, failure: null }
    case 'absent': {
      const isLost = misses + 1 >= missesMax
      return { verifiedAt: isLost ? null : verifiedAt, misses: misses + 1, failure: result.reason }
    }
    case 'unanswered':
      return { verifiedAt, misses, failure: result.reason }
    case 'elsewhere':
      return { verifiedAt: null, misses: 0, failure: result.reason }
  }
}
