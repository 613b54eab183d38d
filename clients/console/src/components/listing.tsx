import { Button, Loader, Table } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { texts } from '../texts.ts'
import { Failure } from './failure.tsx'
import { ScrollTable } from './scroll-table.tsx'

/** One page of a listing. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly next: string | null
}

/** A column: its heading, and what is shown of an item. */
export type Column<Item> = readonly [heading: string, show: (item: Item) => ReactNode]

/** A table of a listing, which grows by a page at a time. */
export function Listing<Item>({
  title,
  name,
  read,
  columns,
  idOf,
  refetchMs,
  empty = texts.nothingHere,
}: {
  readonly title: string
  /** Names the listing among what has been read, with all that it is filtered by. */
  readonly name: readonly unknown[]
  readonly read: (after: string | undefined) => Promise<Page<Item>>
  readonly columns: readonly Column<Item>[]
  readonly idOf: (item: Item) => string
  /** Milliseconds after which it is read again; never when left out. */
  readonly refetchMs?: number
  /** Said in place of the table when there is nothing, such as where items come from. */
  readonly empty?: ReactNode
}) {
  const listing = useInfiniteQuery({
    queryKey: name,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: refetchMs ?? false,
  })
  if (listing.isPending) return <Loader aria-label={texts.loading} />
  if (listing.isError) return <Failure error={listing.error} tryAgain={() => listing.refetch()} />
  const items = listing.data.pages.flatMap((page) => page.items)
  if (items.length === 0) return <p>{empty}</p>
  return (
    <>
      <ScrollTable
        label={title}
        headings={columns.map(([heading]) => heading)}
        minWidth={480}
        highlightOnHover
        scrollClassName="table-card"
      >
        {items.map((item) => (
          <Table.Tr key={idOf(item)}>
            {columns.map(([heading, show]) => (
              <Table.Td key={heading}>{show(item)}</Table.Td>
            ))}
          </Table.Tr>
        ))}
      </ScrollTable>
      {listing.hasNextPage && (
        <Button
          variant="default"
          loading={listing.isFetchingNextPage}
          onClick={() => listing.fetchNextPage()}
        >
          {texts.more}
        </Button>
      )}
    </>
  )
}
