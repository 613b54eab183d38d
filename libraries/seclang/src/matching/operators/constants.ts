import type { OperatorFactory } from './operator.ts'
import { matchIf } from './operator.ts'

export const unconditionalMatch: OperatorFactory = {
  name: 'unconditionalMatch',
  create: () => ({ match: () => matchIf(true) }),
}

export const noMatch: OperatorFactory = { name: 'noMatch', create: () => ({ match: () => undefined }) }

/** An operator that would ask somebody else. */
function inactive(name: string, reason: string): OperatorFactory {
  return { name, create: () => ({ inactive: reason, match: () => undefined }) }
}

export const rbl = inactive('rbl', 'block lists are not asked over DNS while a request waits')
export const geoLookup = inactive('geoLookup', 'there is no database of countries')
export const gsbLookup = inactive('gsbLookup', 'there is no database of Google Safe Browsing')
