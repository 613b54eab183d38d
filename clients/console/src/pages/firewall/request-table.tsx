import type { ReactNode } from 'react'
import { ScrollTable } from '../../components/scroll-table.tsx'

/**
 * A table of requests, which scrolls by itself.
 *
 * @param props.label names it
 * @param props.children its rows
 */
export function RequestTable({
  label,
  headings,
  children,
}: {
  readonly label: string
  readonly headings: readonly string[]
  readonly children: ReactNode
}) {
  return (
    <ScrollTable
      label={label}
      headings={headings}
      minWidth={480}
      maxHeight={320}
      verticalSpacing="xs"
      className="replay"
    >
      {children}
    </ScrollTable>
  )
}
