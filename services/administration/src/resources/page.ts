import {
  type AdministeredResource,
  isStorableText,
  type PagePlace,
  type PageRequest,
  RequestRefused,
} from '@palisade/platform'
import { Type } from 'typebox'

/** How many items a page has when the caller does not say. */
export const pageSizeDefault = 100
/** How many items a caller may ask for at once. */
export const pageSizeMax = 1000

/** What a listing understands besides its own filters. */
const pageParameters = ['limit', 'after', 'order']

type Listing = Pick<AdministeredResource, 'orders' | 'filters'>

/** The query parameters of a listing, for the OpenAPI document. */
export function pageQuery({ orders, filters = {} }: Listing) {
  const names = orders.flatMap((order) => [order, `-${order}`])
  return Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: pageSizeMax, default: pageSizeDefault })),
    after: Type.Optional(Type.String({ description: 'the `next` of the page before' })),
    order: Type.Optional(
      Type.Enum(names, { description: 'a member, descending with a minus before it', default: orders[0] }),
    ),
    ...Object.fromEntries(
      Object.entries(filters).map(([name, description]) => [
        name,
        Type.Optional(Type.String({ description })),
      ]),
    ),
  })
}

/**
 * Reads the query of a listing.
 *
 * @throws RequestRefused bad-request that names the parameter
 */
export function readPageRequest(
  query: Readonly<Record<string, unknown>>,
  { orders, filters = {} }: Listing,
): Omit<PageRequest, 'accounts' | 'services'> {
  const filterValues: Record<string, string> = {}
  for (const [name, value] of Object.entries(query)) {
    if (!pageParameters.includes(name) && !(name in filters)) {
      throw refused(
        name,
        `There is no parameter ${name}: there are ${[...pageParameters, ...Object.keys(filters)].join(', ')}.`,
      )
    }
    if (typeof value !== 'string') throw refused(name, `${name} must be given once.`)
    if (!isStorableText(value)) throw refused(name, `${name} must be text without NUL.`)
    filterValues[name] = value
  }
  const { limit = String(pageSizeDefault), after, order = orders[0], ...chosen } = filterValues
  if (!/^\d{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > pageSizeMax) {
    throw refused('limit', `limit must be an integer from 1 to ${pageSizeMax}.`)
  }
  const member = order.replace(/^-/, '')
  if (!orders.includes(member)) {
    throw refused(
      'order',
      `order must be one of ${orders.join(', ')}, with a minus before it where it descends.`,
    )
  }
  const place = after === undefined ? undefined : placeOf(after, order)
  return {
    limit: Number(limit),
    order: member,
    isDescending: order.startsWith('-'),
    after: place,
    filters: chosen,
  }
}

/** The `next` of a page: after which thing, in which order. */
export function cursorOf(
  place: PagePlace,
  { order, isDescending }: Pick<PageRequest, 'order' | 'isDescending'>,
): string {
  const text = JSON.stringify([isDescending ? `-${order}` : order, place.value, place.id])
  return Buffer.from(text).toString('base64url')
}

function placeOf(cursor: string, order: string): PagePlace {
  try {
    const [cursorOrder, value, id]: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (cursorOrder === order && isPlain(value) && isPlain(id)) return { value, id }
  } catch {
    // Refused below, as any other text that is none.
  }
  throw refused('after', 'after must be the next of a page in the same order.')
}

function isPlain(value: unknown): value is string | number {
  return typeof value === 'string'
    ? value.isWellFormed() && !value.includes('\0')
    : Number.isSafeInteger(value)
}

function refused(field: string, message: string): RequestRefused {
  return new RequestRefused('bad-request', message, { field })
}
