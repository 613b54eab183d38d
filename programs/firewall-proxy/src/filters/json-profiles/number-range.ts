import type { SnapshotNumberRange } from '@palisade/proxy-protocol'

/** Whole numbers of more digits are compared like all others: nobody needs them exactly. */
const exactDigitsMax = 40

const whole = new RegExp(`^-?\\d{1,${exactDigitsMax}}$`)

/** Whether a number is within its limits, which belong to it. @param text as JSON writes numbers */
export function isInRange(text: string, { min, max }: SnapshotNumberRange): boolean {
  if (min === undefined && max === undefined) return true
  const number = whole.test(text) ? BigInt(text) : Number(text)
  return (min === undefined || number >= BigInt(min)) && (max === undefined || number <= BigInt(max))
}
