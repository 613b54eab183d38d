import { type ByteSource, readBytes } from '../byte-source.ts'
import { type Extent, KIB } from '../extent.ts'

/** Even entries of eight bytes do not cross a page. */
const PAGE_SIZE_BYTES = 64 * KIB
const PAGES_MAX = 64

/** A table in a file, of which only the pages used last are kept. */
export interface PagedTable {
  /** The page with the byte at `offset` of the table, and where in the page that byte is. */
  locate(offset: number): Promise<{ readonly page: Buffer; readonly at: number }>
}

/** Reads pages of 64 KiB on demand and keeps the last 64. */
export function pagedTable(source: ByteSource, table: Extent): PagedTable {
  /** Least recently used first. */
  const pages = new Map<number, Promise<Buffer>>()

  const fetch = (index: number): Promise<Buffer> => {
    const offset = index * PAGE_SIZE_BYTES
    const sizeBytes = Math.min(PAGE_SIZE_BYTES, table.sizeBytes - offset)
    return readBytes(source, table.offsetBytes + offset, sizeBytes)
  }
  return {
    async locate(offset) {
      const index = Math.floor(offset / PAGE_SIZE_BYTES)
      const page = pages.get(index) ?? fetch(index)
      pages.delete(index)
      pages.set(index, page)
      const [oldest] = pages.keys()
      if (pages.size > PAGES_MAX && oldest !== undefined) pages.delete(oldest)
      try {
        return { page: await page, at: offset % PAGE_SIZE_BYTES }
      } catch (error) {
        // The next look at this page shall read again rather than remember a passing failure.
        pages.delete(index)
        throw error
      }
    },
  }
}
