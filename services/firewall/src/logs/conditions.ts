import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { columnOf } from './columns.ts'
import { afterEveryId, firstIdAt } from './entry-ids.ts'
import type { FieldClass } from './types/log-type.ts'

/** What an entry has to fulfil, decided by the store. */
export type StoreCondition =
  | {
      readonly test: 'listed'
      readonly field: string
      readonly of: FieldClass
      readonly values: readonly (string | number)[]
      /** Whether the field must be none of them. */
      readonly isNegated: boolean
    }
  | {
      readonly test: 'compared'
      readonly field: string
      readonly operator: '>' | '>=' | '<' | '<='
      readonly value: number
    }

/** What an entry has to fulfil, decided by us: the two stores do not agree on what an expression means. */
export interface TextCondition {
  readonly field: string
  /** One of them has to match. */
  readonly expressions: readonly RegExp[]
  /** Whether none may match. */
  readonly isNegated: boolean
}

/** A range of time in milliseconds since 1970, both ends included. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** Which entries somebody may read, where these are not all of a log. */
export interface EntryLimit {
  /** The columns by which it is decided. */
  readonly columns: readonly string[]
  /** @param row with these columns at least */
  readonly allows: (row: Readonly<Record<string, string | number | null>>) => boolean
}

/** Which entries are looked for: those that fulfil everything. */
export interface Search {
  /** Every entry may be found when left out. */
  readonly limit?: EntryLimit | undefined
  readonly times: readonly TimeRange[]
  readonly conditions: readonly StoreCondition[]
  readonly texts: readonly TextCondition[]
}

/** Looks for every entry. */
export const everyEntry: Search = { times: [], conditions: [], texts: [] }

/** The ids between which the entries of all these ranges lie: from the first one up to, not including, the last. */
export function idsWithin(times: readonly TimeRange[]): { readonly from: string; readonly before: string } {
  const from = Math.max(...times.map((range) => range.from))
  const to = Math.min(...times.map((range) => range.to))
  return {
    from: Number.isFinite(from) ? firstIdAt(from) : '',
    before: Number.isFinite(to) ? firstIdAt(to + 1) : afterEveryId,
  }
}

/** A condition as SQL that both stores understand alike. */
export function sqlOf(
  { eb }: { eb: ExpressionBuilder<Record<string, Record<string, string | number | null>>, string> },
  condition: StoreCondition,
): Expression<SqlBool> {
  const column = eb.ref(columnOf(condition.field))
  if (condition.test === 'compared') return eb(column, condition.operator, condition.value)
  const { of, values, isNegated } = condition
  const subject = of === 'choice' ? sql<string>`lower(${column})` : column
  const comparands = values.map((value) => (of === 'choice' ? String(value).toLowerCase() : value))
  if (!isNegated) return eb(subject, 'in', comparands)
  return eb.or([eb(subject, 'not in', comparands), eb(column, 'is', null)])
}
