import type { OperatorFactory } from './operator.ts'
import { matchIf } from './operator.ts'

/** Matches every value. */
export const unconditionalMatch: OperatorFactory = {
  name: 'unconditionalMatch',
  create: () => ({ match: () => matchIf(true) }),
}

/** Matches no value. */
export const noMatch: OperatorFactory = { name: 'noMatch', create: () => ({ match: () => undefined }) }

/** An operator that would ask somebody else. */
function inactive(name: string, reason: string): OperatorFactory {
  return { name, create: () => ({ inactive: reason, match: () => undefined }) }
}

/** Never matches: it would ask a block list over DNS. Its rules are among `inactiveRules`. */
export const rbl = inactive('rbl', 'block lists are not asked over DNS while a request waits')

/** Never matches: it would look for the country of an address. Its rules are among `inactiveRules`. */
export const geoLookup = inactive('geoLookup', 'there is no database of countries')

/** Never matches: it would look for the hosts of URLs in Google's lists. Its rules are among `inactiveRules`. */
export const gsbLookup = inactive('gsbLookup', 'there is no database of Google Safe Browsing')
