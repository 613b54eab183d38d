import { VaultFailure } from '../failure.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Tells in which day, week, month and year of a time zone a moment lies; equal texts are the same period. */
export class Calendar {
  readonly #format: Intl.DateTimeFormat

  /** @throws VaultFailure `invalid-argument` for a time zone that is not known here */
  constructor(timeZone: string) {
    try {
      const digits = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
      this.#format = new Intl.DateTimeFormat('en-US', { timeZone, calendar: 'gregory', ...digits })
    } catch (cause) {
      throw new VaultFailure('invalid-argument', `${JSON.stringify(timeZone)} is no time zone`, { cause })
    }
  }

  /** For example `2026-11-21`. */
  daily(ms: number): string {
    const parts = new Map(this.#format.formatToParts(ms).map(({ type, value }) => [type, value]))
    return `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`
  }

  /** The Monday with which the week begins (ISO 8601). */
  weekly(ms: number): string {
    const day = Date.parse(this.daily(ms))
    const sinceMonday = (new Date(day).getUTCDay() + 6) % 7
    return new Date(day - sinceMonday * dayMs).toISOString().slice(0, 10)
  }

  monthly(ms: number): string {
    return this.daily(ms).slice(0, 7)
  }

  yearly(ms: number): string {
    return this.daily(ms).slice(0, 4)
  }
}
