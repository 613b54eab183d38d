import { eachItem } from '@palisade/sdk'

/** All items of a listing of the administration that is short by its nature, such as accounts. @param read one page of it */
export async function readAll<Item>(read: Parameters<typeof eachItem<Item>>[0]): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of eachItem(read)) items.push(item)
  return items
}

/** The query of a page of a listing. @param after `next` of the page before; undefined for the first */
export function pageQuery(after: string | undefined): { limit: number; after?: string } {
  return { limit: 100, ...(after === undefined ? {} : { after }) }
}
