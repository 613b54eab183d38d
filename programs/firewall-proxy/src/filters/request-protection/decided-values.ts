import type { SnapshotParameterProfile, SnapshotUrlProfile } from '@palisade/proxy-protocol'
import type { RuleExclusion } from '@palisade/seclang'
import { namePattern } from '../../policy/rule-exclusions.ts'
import { harmlessShapes } from './harmless-shapes.ts'

/** Rules that look for attacks; what is no proper HTTP is nothing that profiles know, and those about Java look into Base64. */
const rulesAboutAttacks = { first: 930_000, last: 943_999 }

/**
 * Values that a profile which blocks has decided about: one of those that may be chosen, or one of a form that can be no attack, such as
 * a number or a date. The rules do not look at them.
 * Each value is judged by itself, wherever in the request it came, so that nothing else of that name is passed over.
 */
export function decidedValues({ isPassive, parameterProfiles }: SnapshotUrlProfile): RuleExclusion[] {
  if (isPassive) return []
  return parameterProfiles.flatMap((profile) => {
    const hasValue = decidedBy(profile)
    if (hasValue === undefined) return []
    const pattern = namePattern(Buffer.from(profile.parameter, 'utf8').toString('latin1'))
    const targets = ['ARGS', 'ARGS_GET', 'ARGS_POST'].map((variable) => `${variable}:${pattern}`)
    return [{ rules: rulesAboutAttacks, targets, inWholeChain: true, hasValue }]
  })
}

function decidedBy(profile: SnapshotParameterProfile): ((value: string) => boolean) | undefined {
  if (profile.decodesBase64 || profile.isFile) return undefined
  if (profile.values !== undefined) {
    const values = new Set(profile.values)
    return (value) => values.has(value)
  }
  const shapes = (profile.decides ?? []).map((shape) => harmlessShapes[shape])
  return shapes.length === 0 ? undefined : (value) => shapes.some((shape) => shape.test(value))
}
