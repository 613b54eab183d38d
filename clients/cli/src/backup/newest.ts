import { eachRow } from '@palisade/sdk'

const pageLengthMax = 1000

/** Which page of a listing is asked for; pages are counted from 1. */
export interface NumberedPage {
  readonly limit: number
  readonly page: number
}

/** The first rows of a listing, as many as are wanted. @param read reads one page */
export async function newest<Row>(
  count: number,
  read: (query: NumberedPage) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = []
  const pages = eachRow({ size: Math.min(count, pageLengthMax), first: 1 }, (page, limit) =>
    read({ limit, page }),
  )
  for await (const row of pages) {
    if (rows.push(row) === count) break
  }
  return rows
}
