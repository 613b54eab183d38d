/** What came of looking for the record of a domain; reasons are sentences for its owner. */
export type Finding =
  | { readonly kind: 'found' }
  /** DNS answered, and the record is not there. */
  | { readonly kind: 'absent'; readonly reason: string }
  /** DNS did not answer, which says nothing about the record. */
  | { readonly kind: 'unanswered'; readonly reason: string }
  /** The record is there, and the name is somebody else's. */
  | { readonly kind: 'elsewhere'; readonly reason: string }

export const verifiedElsewhere: Finding = {
  kind: 'elsewhere',
  reason:
    'The record is there, but the name is VERIFIED elsewhere already, and it can be so for one account only.',
}

/** What looking has shown so far. */
export interface Shown {
  /** Milliseconds since 1970; null while the domain is UNVERIFIED. */
  readonly verifiedAt: number | null
  /** Looks in a row to which DNS answered without the record. */
  readonly misses: number
  /** Why the last look did not find the record; null when it did. */
  readonly failure: string | null
}

/** How many misses in a row end a verification: a zone that is mended within days harms nobody. */
const missesMax = 3

/** What has been shown after one more look. */
export function shownAfter({ verifiedAt, misses }: Shown, finding: Finding, now: number): Shown {
  switch (finding.kind) {
    case 'found':
      return { verifiedAt: verifiedAt ?? now, misses: 0, failure: null }
    case 'absent': {
      const isLost = misses + 1 >= missesMax
      return { verifiedAt: isLost ? null : verifiedAt, misses: misses + 1, failure: finding.reason }
    }
    case 'unanswered':
      return { verifiedAt, misses, failure: finding.reason }
    case 'elsewhere':
      return { verifiedAt: null, misses: 0, failure: finding.reason }
  }
}
