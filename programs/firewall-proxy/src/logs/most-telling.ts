/** How what was found in a request is told apart. */
export interface FindingOrder<T> {
  /** Of findings of one kind, one says most of what there is to say. */
  readonly kindOf: (finding: T) => string | number
  /** Whether the request was refused for it, or would have been. */
  readonly refuses: (finding: T) => boolean
}

/**
 * The findings that tell most of a request: those for which it was refused, then the first of each kind, then further ones.
 *
 * @returns at most so many, in the order in which they were found
 */
export function mostTelling<T>(
  findings: readonly T[],
  countMax: number,
  { kindOf, refuses }: FindingOrder<T>,
): readonly T[] {
  if (findings.length <= countMax) return findings
  const kinds = new Set<string | number>()
  const ranked = findings.map((finding, index) => {
    const isFirst = !kinds.has(kindOf(finding))
    kinds.add(kindOf(finding))
    return { finding, index, rank: isFirst && refuses(finding) ? 0 : isFirst ? 1 : 2 }
  })
  return ranked
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, countMax)
    .toSorted((one, other) => one.index - other.index)
    .map(({ finding }) => finding)
}
