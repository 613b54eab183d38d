import { RequestRefused } from '@palisade/platform'
import { Type } from 'typebox'
import type { Part } from '../part.ts'

const limits = { default: 100, minimum: 1, maximum: 1000 }
const pages = { default: 1, minimum: 1, maximum: 1_000_000 }

/** The parameters as the OpenAPI document shows them. Pages are counted as in the history of the first version. */
export const PageQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ ...limits, description: 'how many, newest first' })),
  page: Type.Optional(
    Type.Integer({ ...pages, description: 'which so many; one after the last is an empty list' }),
  ),
})

/** Which records a listing is to give. @throws RequestRefused bad-request naming the parameter */
export function readPage(query: Readonly<Record<string, unknown>>): Part {
  const limit = readInteger('limit', query.limit, limits)
  return { limit, offset: (readInteger('page', query.page, pages) - 1) * limit }
}

function readInteger(name: string, text: unknown, range: typeof limits): number {
  if (text === undefined) return range.default
  const value = typeof text === 'string' && /^\d{1,7}$/.test(text) ? Number(text) : 0
  if (value >= range.minimum && value <= range.maximum) return value
  throw new RequestRefused(
    'bad-request',
    `[${name}] must be an integer from ${range.minimum} to ${range.maximum}`,
  )
}
