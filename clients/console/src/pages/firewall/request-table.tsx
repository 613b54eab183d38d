import { Table } from '@mantine/core'
import type { ReactNode } from 'react'

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
    <Table.ScrollContainer
      minWidth={480}
      mah={320}
      type="native"
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <Table verticalSpacing="xs" className="replay" aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {headings.map((heading) => (
              <Table.Th key={heading} scope="col">
                {heading}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
