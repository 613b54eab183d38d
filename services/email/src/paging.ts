import { type TSchema, Type } from 'typebox'
import { type Query, readInteger } from './query-parameters.ts'

/** One page of a listing, as the email service asks for it. */
export interface PageRequest {
  /** Counted from 0. */
  readonly page: number
  /** Results on a page. */
  readonly size: number
}

/** Default, minimum and maximum of the two paging parameters (specification, "Paged domain listing"). */
const limits = {
  page: { default: 0, minimum: 0, maximum: 100 },
  size: { default: 10, minimum: 1, maximum: 100 },
} as const

/** The two parameters as the OpenAPI document shows them. */
export const PageQuery = Type.Object({
  page: Type.Optional(Type.Integer({ ...limits.page, description: 'page to return' })),
  size: Type.Optional(Type.Integer({ ...limits.size, description: 'number of results' })),
})

/**
 * Reads the page that a query asks for.
 *
 * @throws RequestRefused bad-request, naming the parameter, when one is repeated, no integer or out of range
 */
export function readPageRequest(query: Query): PageRequest {
  return { page: readInteger(query, 'page', limits.page), size: readInteger(query, 'size', limits.size) }
}

/** The page envelope as the OpenAPI document shows it. */
export function pageViewOf<Item extends TSchema>(item: Item, title: string) {
  return Type.Object(
    {
      resultsCount: Type.Integer({ examples: [1] }),
      pageNum: Type.Integer({ examples: [0] }),
      itemsTotal: Type.Integer({ examples: [1] }),
      pagesTotal: Type.Integer({ examples: [1] }),
      results: Type.Array(item),
    },
    { title },
  )
}

/** The page envelope of the specification. */
export interface Page<Item> {
  /** Number of items on this page. */
  readonly resultsCount: number
  readonly pageNum: number
  readonly itemsTotal: number
  readonly pagesTotal: number
  readonly results: readonly Item[]
}

/** Wraps the items of one page; a page past the end is empty. */
export function pageOf<Item>(
  { page, size }: PageRequest,
  itemsTotal: number,
  results: readonly Item[],
): Page<Item> {
  return {
    resultsCount: results.length,
    pageNum: page,
    itemsTotal,
    pagesTotal: Math.ceil(itemsTotal / size),
    results,
  }
}
