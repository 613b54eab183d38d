import { Table, type TableProps } from '@mantine/core'
import type { ReactNode } from 'react'

/** A table that scrolls sideways where the window is narrow, also by the keyboard. */
export function ScrollTable({
  label,
  headings,
  minWidth,
  maxHeight,
  scrollClassName,
  children,
  ...table
}: {
  /** What it is called for whoever cannot see it. */
  readonly label: string
  /** Of the columns; empty for one without a heading. */
  readonly headings: readonly string[]
  /** Narrower than this many pixels it scrolls. */
  readonly minWidth: number
  /** Higher than this many pixels it scrolls, too. */
  readonly maxHeight?: number
  readonly scrollClassName?: string
  /** The rows. */
  readonly children: ReactNode
} & Pick<TableProps, 'className' | 'highlightOnHover' | 'layout' | 'verticalSpacing'>) {
  return (
    <Table.ScrollContainer
      minWidth={minWidth}
      type="native"
      tabIndex={0}
      role="region"
      aria-label={label}
      {...(maxHeight === undefined ? {} : { mah: maxHeight })}
      {...(scrollClassName === undefined ? {} : { className: scrollClassName })}
    >
      <Table aria-label={label} {...table}>
        <Table.Thead>
          <Table.Tr>
            {headings.map((heading) =>
              heading === '' ? (
                <Table.Td key={heading} />
              ) : (
                <Table.Th key={heading} scope="col">
                  {heading}
                </Table.Th>
              ),
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
