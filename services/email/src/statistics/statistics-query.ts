import { Type } from 'typebox'
import { type Query, readChoice, readInteger } from '../query-parameters.ts'
import { type Period, periods } from './blocks.ts'

const countDefault = 30

const periodOf = { '1h': '1h', '24h': '24h', hourly: '1h', daily: '24h' } as const satisfies Record<
  string,
  Period
>

/** The parameters as the OpenAPI document shows them. */
export const StatisticsQuery = Type.Object({
  type: Type.Optional(Type.String({ enum: ['email'], default: 'email' })),
  period: Type.Optional(
    Type.String({ enum: Object.keys(periodOf), default: '24h', description: 'length of a block' }),
  ),
  count: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: periods['1h'].countMax,
      default: countDefault,
      description: `how many blocks, with that under way: at most ${periods['1h'].countMax} of 1h, ${periods['24h'].countMax} of 24h`,
    }),
  ),
})

/** The checked query of a request for statistics. */
export interface StatisticsRequest {
  readonly period: Period
  readonly count: number
}

/** @throws RequestRefused bad-request, naming the first parameter that is wrong */
export function readStatisticsRequest(query: Query): StatisticsRequest {
  readChoice(query, 'type', { email: 'email' })
  const period = readChoice(query, 'period', periodOf) ?? '24h'
  const limits = { default: countDefault, minimum: 1, maximum: periods[period].countMax }
  return { period, count: readInteger(query, 'count', limits) }
}
