import type { OperatorFactory } from './operator.ts'
import { matchIf } from './operator.ts'

/** Compares the value with the argument, both as C's `atoi` reads them. */
function comparing(name: string, isMatch: (value: number, argument: number) => boolean): OperatorFactory {
  return {
    name,
    create(argument) {
      const right = leadingInteger(argument)
      return { match: (value) => matchIf(isMatch(leadingInteger(value), right)) }
    },
  }
}

/** Compares as integers; a text without digits counts as 0, as in ModSecurity. */
export const eq = comparing('eq', (value, argument) => value === argument)

/** Whether the value is the argument or more; reads both as `eq` does. */
export const ge = comparing('ge', (value, argument) => value >= argument)

/** Whether the value is more than the argument; reads both as `eq` does. */
export const gt = comparing('gt', (value, argument) => value > argument)

/** Whether the value is the argument or less; reads both as `eq` does. */
export const le = comparing('le', (value, argument) => value <= argument)

/** Whether the value is less than the argument; reads both as `eq` does. */
export const lt = comparing('lt', (value, argument) => value < argument)

/** Digits at the beginning, after blanks and a sign; 0 without any. Too large ones are cut to 64 bits and then to 32. */
function leadingInteger(value: string): number {
  return value.length > 0 && value.length <= 9
    ? (plainNumber(value) ?? readInteger(value))
    : readInteger(value)
}

/** A number of digits alone, as most are; undefined for anything else. */
function plainNumber(value: string): number | undefined {
  let number = 0
  for (let at = 0; at < value.length; at++) {
    const digit = value.charCodeAt(at) - 0x30
    if (digit < 0 || digit > 9) return undefined
    number = number * 10 + digit
  }
  return number
}

function readInteger(value: string): number {
  const [, sign = '', digits = ''] = /^[\t-\r ]*([+-]?)(\d+)/.exec(value) ?? []
  if (digits.length <= 9) return Number(sign + (digits || '0'))
  const number = BigInt(sign === '-' ? `-${digits}` : digits)
  const limited = number > longMax ? longMax : number < -longMax - 1n ? -longMax - 1n : number
  return Number(BigInt.asIntN(32, limited))
}

const longMax = 2n ** 63n - 1n
