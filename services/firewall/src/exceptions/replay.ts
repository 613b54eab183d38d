import type { JudgedRequest } from './judged-requests.ts'
import type { Proposal } from './proposal.ts'

/*
 * What requests of the log would have come to with exceptions. Their score is worked out anew without the points of what the
 * exceptions leave out; the rules are not run again, since the log holds neither bodies nor values.
 */

/** The requests that these exceptions would have let through, and the others not. Newest first. */
export function requestsLetThrough(
  proposals: readonly Proposal[],
  exceptions: Iterable<Proposal>,
  others: Iterable<Proposal>,
): readonly JudgedRequest[] {
  const [before, added] = [pointsLeftOut(others), pointsLeftOut(exceptions)]
  const requests = new Set(proposals.flatMap((proposal) => proposal.requests.map(({ request }) => request)))
  const passes = (request: JudgedRequest, points: number) => request.score - points < request.threshold
  return [...requests]
    .filter((request) => {
      const without = before.get(request) ?? 0
      const more = added.get(request) ?? 0
      return !passes(request, without) && passes(request, without + more)
    })
    .sort((one, other) => other.time - one.time)
}

/**
 * The fewest exceptions with which a request would pass.
 *
 * @param accepted exceptions that are there already
 * @returns undefined when no exceptions let it through; none when those that are there do so
 */
export function fewestExceptions(
  request: JudgedRequest,
  proposals: readonly Proposal[],
  accepted: ReadonlySet<Proposal>,
): readonly Proposal[] | undefined {
  const about = proposals
    .map((proposal) => ({ proposal, points: pointsLeftOut([proposal]).get(request) ?? 0 }))
    .filter(({ points }) => points > 0)
    .sort((one, other) => other.points - one.points)
  let { score } = request
  for (const { proposal, points } of about) if (accepted.has(proposal)) score -= points
  const chosen: Proposal[] = []
  for (const { proposal, points } of about) {
    if (score < request.threshold) break
    if (accepted.has(proposal)) continue
    chosen.push(proposal)
    score -= points
  }
  return score < request.threshold ? chosen : undefined
}

function pointsLeftOut(proposals: Iterable<Proposal>): ReadonlyMap<JudgedRequest, number> {
  const points = new Map<JudgedRequest, number>()
  for (const { requests } of proposals) {
    for (const { request, findings } of requests) {
      const sum = findings.reduce((total, finding) => total + finding.points, 0)
      points.set(request, (points.get(request) ?? 0) + sum)
    }
  }
  return points
}
