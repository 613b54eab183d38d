import { RequestRefused } from '@palisade/platform'
import { Type } from 'typebox'

const limits = { default: 100, minimum: 1, maximum: 1000 }

/** The parameter as the OpenAPI document shows it. */
export const LimitQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ ...limits, description: 'how many, newest first' })),
})

/** How many records a listing gives at most. */
export function readLimit({ limit: text }: Readonly<Record<string, unknown>>): number {
  if (text === undefined) return limits.default
  const limit = typeof text === 'string' && /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (limit >= limits.minimum && limit <= limits.maximum) return limit
  throw new RequestRefused(
    'bad-request',
    `[limit] must be an integer from ${limits.minimum} to ${limits.maximum}`,
  )
}
