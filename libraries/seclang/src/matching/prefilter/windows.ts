import { foldCase } from '../fold-case.ts'
import type { LiteralSet } from '../pattern.ts'
import { expectedShare } from '../rarity.ts'

/** Longer pieces would make the automaton larger, and hardly a value less likely to have one. */
const windowLengthMax = 8

/**
 * What to look for so that no match is missed: of the literal sets the one that is expected least, each of its literals cut
 * to its rarest piece. Undefined when every value has to be taken.
 */
export function windowsOf(literals: readonly LiteralSet[] | undefined): readonly string[] | undefined {
  const candidates = (literals ?? [])
    .filter((set) => set.length > 0 && !set.includes(''))
    .map((set) => [...new Set(set.map((literal) => rarestWindow(foldCase(literal))))])
  return candidates.toSorted((one, other) => share(one) - share(other))[0]
}

function rarestWindow(literal: string): string {
  let rarest = literal.slice(0, windowLengthMax)
  for (let start = 1; start + windowLengthMax <= literal.length; start++) {
    const window = literal.slice(start, start + windowLengthMax)
    if (expectedShare(window) < expectedShare(rarest)) rarest = window
  }
  return rarest
}

function share(windows: readonly string[]): number {
  return windows.reduce((sum, window) => sum + expectedShare(window), 0)
}
