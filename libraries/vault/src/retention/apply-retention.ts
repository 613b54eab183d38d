/**
 * Which revisions to keep and which to delete, as a function of their dates. Nothing is deleted here: that is for the caller
 * to do, with `deleteRevision` and `collect`.
 *
 * Each rule chooses some revisions of each volume; a revision stays when any rule chooses it:
 *
 *     last        the newest n
 *     daily       the newest of each of the last n days that have one; so too weekly (ISO 8601, from Monday), monthly, yearly
 *     withinMs    all that are no older than that, counted from the newest revision of the volume
 *
 * Where dates do not rise with the order of the revisions, a day (week, …) is a stretch of neighbours that show it: a revision
 * with a wrong date takes a place, and another one where it parts a stretch; of those before and after it none loses its own.
 *
 * Days without a revision do not count, and ages are counted from the newest revision, not from now: a computer that was off for
 * a year loses nothing by it. The newest revision of a volume always stays.
 */
import { VaultFailure } from '../failure.ts'
import { Calendar } from './calendar.ts'

/** At least one rule; each a positive number. */
export interface RetentionPolicy {
  readonly last?: number
  readonly daily?: number
  readonly weekly?: number
  readonly monthly?: number
  readonly yearly?: number
  readonly withinMs?: number
  /** Where days begin: an IANA name; `UTC` by default. */
  readonly timeZone?: string
}

/** What of a revision counts. */
export interface DatedRevision {
  readonly revision: string
  readonly volume: string
  /** Milliseconds since 1970. */
  readonly createdMs: number
  /** The newer of two has the higher number; the date by default. */
  readonly order?: number
}

/** The rules for which a revision may be kept. */
export type RetentionRule = 'last' | 'daily' | 'weekly' | 'monthly' | 'yearly' | 'within'

/** Which revisions stay and for which rules, and which go. */
export interface RetentionDecision<Revision extends DatedRevision> {
  readonly keep: { readonly revision: Revision; readonly rules: readonly RetentionRule[] }[]
  readonly remove: Revision[]
}

const calendarRules = ['daily', 'weekly', 'monthly', 'yearly'] as const

/**
 * Decides about revisions of any number of volumes of one domain; each volume is looked at by itself. Both results are in
 * their order, oldest first.
 *
 * @throws VaultFailure `invalid-argument` for a policy without rules or with numbers that are not positive
 */
export function applyRetention<Revision extends DatedRevision>(
  revisions: readonly Revision[],
  policy: RetentionPolicy,
): RetentionDecision<Revision> {
  assertPolicy(policy)
  const calendar = new Calendar(policy.timeZone ?? 'UTC')
  const chosen = new Map<Revision, RetentionRule[]>()
  const ofVolume = Map.groupBy(revisions, ({ volume }) => volume)
  for (const group of ofVolume.values()) {
    const newestFirst = group.toSorted((a, b) => compare(b, a))
    for (const [revision, rule] of choose(newestFirst, policy, calendar)) {
      chosen.set(revision, [...(chosen.get(revision) ?? []), rule])
    }
  }
  const oldestFirst = revisions.toSorted(compare)
  return {
    keep: oldestFirst.flatMap((revision) => {
      const rules = chosen.get(revision)
      return rules ? [{ revision, rules }] : []
    }),
    remove: oldestFirst.filter((revision) => !chosen.has(revision)),
  }
}

function* choose<Revision extends DatedRevision>(
  newestFirst: readonly Revision[],
  policy: RetentionPolicy,
  calendar: Calendar,
): Generator<[Revision, RetentionRule]> {
  for (const revision of newestFirst.slice(0, Math.max(1, policy.last ?? 0))) yield [revision, 'last']
  for (const rule of calendarRules) {
    let placesLeft = policy[rule] ?? 0
    let former: string | undefined
    for (const revision of newestFirst) {
      if (placesLeft === 0) break
      const period = calendar[rule](revision.createdMs)
      if (period === former) continue
      former = period
      placesLeft--
      yield [revision, rule]
    }
  }
  const newestMs = newestFirst[0]?.createdMs ?? 0
  for (const revision of newestFirst) {
    if (policy.withinMs !== undefined && newestMs - revision.createdMs <= policy.withinMs)
      yield [revision, 'within']
  }
}

function assertPolicy(policy: RetentionPolicy): void {
  const { timeZone: _, withinMs, ...counts } = policy
  const numbers = Object.entries(counts)
  for (const [rule, count] of numbers) {
    if (Number.isSafeInteger(count) && count > 0) continue
    throw new VaultFailure('invalid-argument', `${rule} of a retention policy is a positive whole number`)
  }
  if (withinMs !== undefined && !(withinMs > 0)) {
    throw new VaultFailure('invalid-argument', 'withinMs of a retention policy is a positive number')
  }
  if (numbers.length === 0 && withinMs === undefined) {
    throw new VaultFailure('invalid-argument', 'a retention policy has at least one rule')
  }
}

function compare(a: DatedRevision, b: DatedRevision): number {
  return orderOf(a) - orderOf(b) || (a.revision < b.revision ? -1 : a.revision > b.revision ? 1 : 0)
}

function orderOf({ order, createdMs }: DatedRevision): number {
  return order ?? createdMs
}
