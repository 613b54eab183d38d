import { compilePattern } from '../pattern.ts'
import type { OperatorFactory } from './operator.ts'

/** Matches where the argument, a regular expression, finds a number that stands its test; captures it. */
function verifying(name: string, isValid: (digits: readonly number[]) => boolean): OperatorFactory {
  return {
    name,
    create(argument) {
      const pattern = compilePattern(`(?m)${argument}`)
      return {
        literals: pattern.literals,
        match(value) {
          for (const { captures } of pattern.execAll(value, 'overlapping')) {
            const [number = ''] = captures
            if (isValid(digitsOf(number))) return { captures: captures.map(() => number) }
          }
          return undefined
        },
      }
    },
  }
}

function digitsOf(text: string): readonly number[] {
  return [...text.replaceAll(/\D/g, '')].map(Number)
}

/** Payment cards: the Luhn check (ISO/IEC 7812-1, annex B). */
export const verifyCC = verifying('verifyCC', (digits) => digits.length > 0 && luhnSum(digits) % 10 === 0)

function luhnSum(digits: readonly number[]): number {
  return digits
    .toReversed()
    .map((digit, at) => (at % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)))
    .reduce((sum, digit) => sum + digit, 0)
}

/** Social security numbers of the United States: nine digits, neither all alike nor counting up, no part zero. */
export const verifySSN = verifying('verifySSN', (digits) => {
  if (digits.length !== 9) return false
  const steps = digits.slice(1).map((digit, at) => digit - (digits[at] ?? 0))
  if (steps.every((step) => step === 0) || steps.every((step) => step === 1)) return false
  const [area, group, serial] = [digits.slice(0, 3), digits.slice(3, 5), digits.slice(5)].map((part) =>
    Number(part.join('')),
  )
  return area !== undefined && area > 0 && area < 740 && area !== 666 && group !== 0 && serial !== 0
})

/** Brazil's taxpayer numbers: eleven digits, the last two computed from the others. */
export const verifyCPF = verifying('verifyCPF', (digits) => {
  if (digits.length < 11) return false
  const number = digits.slice(0, 11)
  if (number.every((digit) => digit === number[0]) || number.join('') === '01234567890') return false
  return number[9] === cpfCheckDigit(number.slice(0, 9)) && number[10] === cpfCheckDigit(number.slice(0, 10))
})

function cpfCheckDigit(digits: readonly number[]): number {
  const weight = digits.length + 1
  const rest = digits.reduce((sum, digit, at) => sum + digit * (weight - at), 0) % 11
  return rest < 2 ? 0 : 11 - rest
}
