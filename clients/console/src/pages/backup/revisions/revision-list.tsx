import { Button, Table } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ScrollTable } from '../../../components/scroll-table.tsx'
import { Time } from '../../../components/time.tsx'
import { bytesText } from '../../../format.ts'
import { texts as shared } from '../../../texts.ts'
import { type Revision, useComputer } from '../data.ts'
import { kindOf } from '../revision-moments.ts'
import { texts as all } from '../texts.ts'

const texts = all.revisionList
/** So many rows are shown at first, and more each time when asked for. */
const pageLength = 50

/** The revisions of a volume, newest first, with how good each is. */
export function RevisionList({
  title,
  revisions,
  outcomeOf,
}: {
  readonly title: string
  readonly revisions: readonly Revision[]
  /** A last column: what would become of each. */
  readonly outcomeOf?: (revision: Revision) => string
}) {
  const { account, computer } = useComputer()
  const [count, setCount] = useState(pageLength)
  const headings = [texts.revision, texts.date, texts.state, texts.used, texts.set]
  return (
    <>
      <ScrollTable
        label={title}
        headings={outcomeOf ? [...headings, texts.outcome] : headings}
        minWidth={480}
        highlightOnHover
      >
        {revisions.slice(0, count).map((revision) => (
          <Table.Tr key={revision.Id}>
            <Table.Td>
              <Link
                className="link"
                to="/backup/computers/$account/$computer/revisions/$revision"
                params={{ account, computer, revision: String(revision.Id) }}
              >
                {revision.Id}
              </Link>
            </Table.Td>
            <Table.Td>
              <Time at={revision.DateTime} />
            </Table.Td>
            <Table.Td>{all.timeLine.kinds[kindOf(revision)]}</Table.Td>
            <Table.Td>{bytesText(revision.UsedSpace)}</Table.Td>
            <Table.Td>{revision.BackupSetName ?? ''}</Table.Td>
            {outcomeOf && <Table.Td>{outcomeOf(revision)}</Table.Td>}
          </Table.Tr>
        ))}
      </ScrollTable>
      {revisions.length > count && (
        <Button variant="default" size="xs" onClick={() => setCount(count + pageLength)}>
          {shared.more}
        </Button>
      )}
    </>
  )
}
