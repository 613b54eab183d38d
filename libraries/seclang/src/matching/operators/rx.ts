import { compilePattern } from '../pattern.ts'
import { matchLimitExceeded, type OperatorFactory } from './operator.ts'

const capturesMax = 10

/** Finds a regular expression and captures its groups. */
export const rx: OperatorFactory = {
  name: 'rx',
  create(argument) {
    const pattern = compilePattern(argument)
    return {
      literals: pattern.literals,
      match(value) {
        const givenUpBefore = pattern.timesGivenUp
        const captures = pattern.exec(value)
        if (captures) return { captures }
        return pattern.timesGivenUp > givenUpBefore ? matchLimitExceeded : undefined
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
      match(value) {
        const givenUpBefore = pattern.timesGivenUp
        const captures: (string | undefined)[] = []
        for (const match of pattern.execAll(value)) {
          captures.push(...match.captures)
          if (captures.length >= capturesMax) break
        }
        if (captures.length > 0) return { captures: captures.slice(0, capturesMax) }
        return pattern.timesGivenUp > givenUpBefore ? matchLimitExceeded : undefined
      },
    }
  },
}
