import { compilePattern } from '../pattern.ts'
import type { OperatorFactory } from './operator.ts'

const capturesMax = 10

/** Finds a regular expression and captures its groups. */
export const rx: OperatorFactory = {
  name: 'rx',
  create(argument) {
    const pattern = compilePattern(argument)
    return {
      literals: pattern.literals,
      get timesGivenUp() {
        return pattern.timesGivenUp
      },
      match(value) {
        const captures = pattern.exec(value)
        return captures ? { captures } : undefined
      },
    }
  },
}

/** Finds a regular expression wherever it matches, and captures the matches with their groups, one after another. */
export const rxGlobal: OperatorFactory = {
  name: 'rxGlobal',
  create(argument) {
    const pattern = compilePattern(argument)
    return {
      literals: pattern.literals,
      get timesGivenUp() {
        return pattern.timesGivenUp
      },
      match(value) {
        const captures: (string | undefined)[] = []
        for (const match of pattern.execAll(value)) {
          captures.push(...match.captures)
          if (captures.length >= capturesMax) break
        }
        return captures.length > 0 ? { captures: captures.slice(0, capturesMax) } : undefined
      },
    }
  },
}
