import { answer } from './clients.ts'

type Reply<Data> = Promise<{ readonly data?: Data; readonly error?: unknown; readonly response: Response }>

/**
 * Every item of a listing of the administration, page after page as they are asked for.
 *
 * @param read reads one page; `after` is undefined for the first
 * @example for await (const operator of eachItem((after) => admin.GET('/operators', { params: { query: { after } } }))) …
 */
export async function* eachItem<Item>(
  read: (
    after: string | undefined,
  ) => Reply<{ readonly items: readonly Item[]; readonly next: string | null }>,
): AsyncGenerator<Item, void, undefined> {
  let after: string | undefined
  do {
    const { items, next }: { items: readonly Item[]; next: string | null } = await answer(read(after))
    yield* items
    after = next ?? undefined
  } while (after !== undefined)
}

/**
 * Every row of a listing with numbered pages, until a page is not full.
 *
 * @param size rows of a full page
 * @param first the number of the first page: 0 for domains, 1 for what the backup service lists
 * @param read reads the rows of one page
 */
export async function* eachRow<Row>(
  { size, first }: { readonly size: number; readonly first: 0 | 1 },
  read: (page: number, size: number) => Promise<readonly Row[]>,
): AsyncGenerator<Row, void, undefined> {
  for (let page = first; ; page += 1) {
    const rows = await read(page, size)
    yield* rows
    if (rows.length < size) return
  }
}
