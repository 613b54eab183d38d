import { libinjection } from '../../libinjection/libinjection.ts'
import type { Operator, OperatorFactory } from './operator.ts'

function inactive(): Operator {
  return {
    inactive: `libinjection of Debian's package libmodsecurity3 cannot be loaded (${libinjection.problem})`,
    match: () => undefined,
  }
}

/** Captures the fingerprint. */
export const detectSQLi: OperatorFactory = {
  name: 'detectSQLi',
  create() {
    if (!libinjection.isAvailable) return inactive()
    return {
      match(value) {
        if (isOneWord(value)) return undefined
        const { isSqli, fingerprint } = libinjection.detectSqli(value)
        return isSqli ? { captures: [fingerprint] } : undefined
      },
    }
  },
}

/** Captures the value. Without a tag or an attribute there is nothing to find. */
export const detectXSS: OperatorFactory = {
  name: 'detectXSS',
  create() {
    if (!libinjection.isAvailable) return inactive()
    return {
      literals: [['<', '=']],
      match(value) {
        if (!value.includes('<') && !value.includes('=')) return undefined
        return libinjection.detectXss(value) ? { captures: [value] } : undefined
      },
    }
  },
}

/** One name or number is one token, and no fingerprint of an attack has only one. */
function isOneWord(value: string): boolean {
  return /^\w*$/.test(value)
}
