import { Button, Table } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
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
  return (
    <>
      <Table.ScrollContainer minWidth={480} type="native" tabIndex={0} role="region" aria-label={title}>
        <Table aria-label={title} highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{texts.revision}</Table.Th>
              <Table.Th scope="col">{texts.date}</Table.Th>
              <Table.Th scope="col">{texts.state}</Table.Th>
              <Table.Th scope="col">{texts.used}</Table.Th>
              <Table.Th scope="col">{texts.set}</Table.Th>
              {outcomeOf && <Table.Th scope="col">{texts.outcome}</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
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
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {revisions.length > count && (
        <Button variant="default" size="xs" onClick={() => setCount(count + pageLength)}>
          {shared.more}
        </Button>
      )}
    </>
  )
}
