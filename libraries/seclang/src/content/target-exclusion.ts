import type { KeySelector } from './key-selector.ts'
import type { Target } from './target.ts'

/** Takes targets away: those of a variable whose key fits. */
export interface TargetExclusion {
  /** In upper case. */
  readonly variable: string
  /** Absent when all keys fit. */
  readonly key?: KeySelector
  /** Whether what a rule would find there is told all the same; nothing else follows from it. */
  readonly isLogged?: boolean
  /** Whether it counts for all links of a chain, and not for the first one alone. */
  readonly inWholeChain?: boolean
  /** Which values are meant, byte strings as they came, of targets of which name; all when absent. */
  readonly hasValue?: (value: string, targetName: string) => boolean
}

/** The first exclusion that takes a target away. */
export function exclusionFor(
  target: Target,
  exclusions: readonly TargetExclusion[],
): TargetExclusion | undefined {
  for (const exclusion of exclusions) if (excludes(exclusion, target)) return exclusion
  return undefined
}

/** Whether an exclusion takes a target away. */
function excludes(exclusion: TargetExclusion, target: Target): boolean {
  return (
    exclusion.variable === target.variable &&
    (exclusion.key?.fits(target.key) ?? true) &&
    (exclusion.hasValue?.(target.content.text, target.name) ?? true)
  )
}
