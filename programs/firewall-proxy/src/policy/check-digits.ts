import type { SnapshotCheckDigits } from '@palisade/proxy-protocol'

/** Whether the digits of what a pattern found are a number of that sort; everything between them is passed over. */
export function hasCheckDigits(kind: SnapshotCheckDigits, number: string): boolean {
  const digits = Array.from(number.replace(/\D/g, ''), Number)
  return checks[kind](digits)
}

const checks: Readonly<Record<SnapshotCheckDigits, (digits: readonly number[]) => boolean>> = {
  'credit-card': (digits) => digits.length >= 12 && digits.length <= 19 && luhn(digits) % 10 === 0,
  // The ten digits of a birth number are a multiple of 11; until 1985 a remainder of 10 was written as 0.
  czech: (digits) =>
    digits.length === 10 &&
    (remainder(digits, 11) === 0 || (remainder(digits.slice(0, 9), 11) === 10 && digits[9] === 0)),
  // Born until 1996 the weights rise, since then they fall.
  hungarian: (digits) => {
    if (digits.length !== 11) return false
    const rising = weighted(digits, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) % 11
    const falling = weighted(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) % 11
    return digits[10] === rising || digits[10] === falling
  },
  korean: (digits) =>
    digits.length === 13 &&
    digits[12] === (11 - (weighted(digits, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11)) % 10,
  // PESEL.
  polish: (digits) =>
    digits.length === 11 &&
    digits[10] === (10 - (weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10,
}

/** ISO/IEC 7812: every other digit from the right, beginning with the last but one, counts twice. */
function luhn(digits: readonly number[]): number {
  return digits.toReversed().reduce((sum, digit, index) => {
    const weighted = index % 2 === 0 ? digit : digit * 2
    return sum + (weighted > 9 ? weighted - 9 : weighted)
  }, 0)
}

function weighted(digits: readonly number[], weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * (digits[index] ?? 0), 0)
}

function remainder(digits: readonly number[], divisor: number): number {
  return digits.reduce((rest, digit) => (rest * 10 + digit) % divisor, 0)
}
