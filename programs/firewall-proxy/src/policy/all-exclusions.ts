import type { RuleExclusions } from '@palisade/seclang'

const joined = new WeakMap<RuleExclusions, WeakMap<RuleExclusions, RuleExclusions>>()

/** Everything that two preparations leave out. The same two are put together once. */
export function allExclusions(
  one: RuleExclusions | undefined,
  other: RuleExclusions | undefined,
): RuleExclusions | undefined {
  if (one === undefined || other === undefined) return one ?? other
  const joint = joined.get(one)?.get(other)
  if (joint !== undefined) return joint
  const both = one.and(other)
  const withOne = joined.get(one) ?? new WeakMap<RuleExclusions, RuleExclusions>()
  joined.set(one, withOne.set(other, both))
  return both
}
