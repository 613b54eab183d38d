import { Type } from 'typebox'
import { RequestInvalid } from '../envelope.ts'
import type { TaskKind } from '../tables.ts'
import type { HistoryQuery } from '../tasks/task-history.ts'

const pageSizeMax = 50
const types = ['BACKUP', 'RESTORE', 'DELETE'] as const
const statuses = ['UNINITIALIZED', 'RUNNING', 'PAUSED', 'SUCCESS', 'CANCELING', 'CANCELED', 'ERROR'] as const
const orders = { LOCAL_START: 'started_at', TYPE: 'kind', STATUS: 'state' } as const
const directions = { ASC: 'asc', DESC: 'desc' } as const
const kinds: Readonly<Record<string, TaskKind>> = { BACKUP: 'backup', RESTORE: 'restore' }

/** The parameters as the OpenAPI document shows them (reference, section 2.6). */
export const HistoryParameters = Type.Object({
  since: Type.Optional(
    Type.String({ description: 'a date, or a date and time, in UTC unless it names a zone' }),
  ),
  type: Type.Optional(Type.Enum(types)),
  status: Type.Optional(Type.Enum(statuses)),
  page: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
  page_size: Type.Optional(Type.Integer({ minimum: 1, maximum: pageSizeMax, default: 10 })),
  order_by: Type.Optional(Type.Enum(['LOCAL_START', 'TYPE', 'STATUS'])),
  order_dir: Type.Optional(Type.Enum(['ASC', 'DESC'])),
})

/** Which page of the history is asked for. */
export interface HistoryPage {
  /** Counted from 1. */
  readonly page: number
  readonly pageSize: number
  readonly query: HistoryQuery
}

/** @throws RequestInvalid naming every parameter that makes no sense */
export function readHistoryPage(query: Readonly<Record<string, unknown>>): HistoryPage {
  const errors: string[] = []
  const read = <T>(name: string, fallback: T, parse: (text: string) => T | undefined): T => {
    const text = query[name]
    if (text === undefined) return fallback
    const value = typeof text === 'string' ? parse(text) : undefined
    if (value === undefined) errors.push(`[${name}] is invalid`)
    return value ?? fallback
  }
  const page = read('page', 1, integerUpTo(1_000_000))
  const pageSize = read('page_size', 10, integerUpTo(pageSizeMax))
  const sinceMs = read('since', 0, momentOf)
  const type = read<string | null>('type', null, (text) => types.find((one) => one === text))
  const status = read<string | null>('status', null, (text) => statuses.find((one) => one === text))
  const orderBy = read('order_by', orders.LOCAL_START, (text) => ownValue(orders, text))
  const direction = read('order_dir', directions.DESC, (text) => ownValue(directions, text))
  if (errors.length > 0) throw new RequestInvalid(errors)
  // What was deleted is no task: asked for alone, it is an empty list.
  const kind = type === null ? null : (kinds[type] ?? 'none')
  return { page, pageSize, query: { sinceMs, kind, state: status, orderBy, direction } }
}

function integerUpTo(max: number) {
  return (text: string): number | undefined =>
    /^[1-9]\d{0,6}$/.test(text) && Number(text) <= max ? Number(text) : undefined
}

/** A date, or a date and time (RFC 3339); in UTC, as everything that is answered, where the text names no zone. */
function momentOf(text: string): number | undefined {
  const [, date, time = '00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? []
  const ms = Date.parse(`${date}T${time}${zone}`)
  return date === undefined || Number.isNaN(ms) || !isDay(date) ? undefined : ms
}

/** JavaScript takes 30 February for 2 March. */
function isDay(date: string): boolean {
  return new Date(Date.parse(date)).toISOString().startsWith(date)
}

function ownValue<T>(values: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}
