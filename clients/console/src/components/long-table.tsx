import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef } from 'react'
import { texts } from '../texts.ts'
import './long-table.css'

/** A column: its heading, what is shown of an item, and a class that says how wide it is. */
export interface LongColumn<Item> {
  readonly heading: string
  readonly show: (item: Item) => ReactNode
  readonly className?: string
}

const rowHeight = 40

/** A table of very many rows, of which only those in sight are in the page; more are asked for when the last ones come into sight. */
export function LongTable<Item>({
  title,
  columns,
  items,
  idOf,
  hasMore,
  loadMore,
}: {
  readonly title: string
  readonly columns: readonly LongColumn<Item>[]
  readonly items: readonly Item[]
  readonly idOf: (item: Item) => string
  readonly hasMore: boolean
  readonly loadMore: () => void
}) {
  const frame = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 20,
  })
  const rows = virtual.getVirtualItems()
  const last = rows.at(-1)?.index ?? 0
  const isAtEnd = last >= items.length - 50
  useEffect(() => {
    if (isAtEnd && hasMore) loadMore()
  }, [isAtEnd, hasMore, loadMore])
  const above = rows[0]?.start ?? 0
  const below = virtual.getTotalSize() - (rows.at(-1)?.end ?? 0)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <section ref={frame} className="long-table" tabIndex={0} aria-label={title}>
      <table aria-label={title} aria-rowcount={hasMore ? -1 : items.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map(({ heading, className }) => (
              <th key={heading} scope="col" className={className}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Space height={above} />
          {rows.map(({ index }) => {
            const item = items[index]
            return (
              item !== undefined && (
                <tr key={idOf(item)} aria-rowindex={index + 2}>
                  {columns.map(({ heading, show, className }) => (
                    <td key={heading} className={className}>
                      {show(item)}
                    </td>
                  ))}
                </tr>
              )
            )
          })}
          <Space height={below} />
        </tbody>
      </table>
      {hasMore && <p className="long-table-more">{texts.loading}</p>}
    </section>
  )
}

/** In the place of the rows that are out of sight. */
function Space({ height }: { readonly height: number }) {
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it can have the focus
  return height > 0 ? <tr aria-hidden="true" className="space" style={{ height }} /> : null
}
