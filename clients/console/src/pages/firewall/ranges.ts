/** How much of the past charts show: in steps of so many minutes. */
export const ranges = {
  '15m': { stepMinutes: 1, steps: 15 },
  '1h': { stepMinutes: 1, steps: 60 },
  '6h': { stepMinutes: 5, steps: 72 },
  '24h': { stepMinutes: 15, steps: 96 },
  '7d': { stepMinutes: 60, steps: 168 },
  '4w': { stepMinutes: 240, steps: 168 },
  '13w': { stepMinutes: 720, steps: 182 },
} as const

/** As it is in addresses: `1h`, `7d`. */
export type RangeName = keyof typeof ranges

/** What the page of a service shows of the past. */
export interface RangeSearch {
  readonly range?: RangeName
}

/** The range that an address asks for. */
export function rangeIn({ range }: Readonly<Record<string, unknown>>): RangeSearch {
  return isRange(range) ? { range } : {}
}

/** Whether it is the name of a range. */
export function isRange(name: unknown): name is RangeName {
  return typeof name === 'string' && Object.hasOwn(ranges, name)
}
