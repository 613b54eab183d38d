import { Table } from '@mantine/core'
import { Dialog } from '../../components/dialog.tsx'
import { ScrollTable } from '../../components/scroll-table.tsx'
import { Time } from '../../components/time.tsx'
import type { Entry } from './audit.tsx'
import { differencesOf } from './difference.ts'
import { texts as all } from './texts.ts'

const texts = all.audit

/** One change: who made it, and what was otherwise before. */
export function AuditEntryDialog({
  entry,
  onClose,
}: {
  readonly entry: Entry
  readonly onClose: () => void
}) {
  const differences = differencesOf(entry.before, entry.after)
  return (
    <Dialog title={`${entry.action}: ${entry.target}`} onClose={onClose}>
      <p>
        {entry.actor} ({entry.actorKind}), <Time at={entry.at} toTheSecond />
      </p>
      {entry.requestId !== null && (
        <p className="quiet">
          {texts.request} <code>{entry.requestId}</code>
        </p>
      )}
      {differences.length === 0 ? (
        <p className="quiet">{texts.noDifference}</p>
      ) : (
        <ScrollTable
          label={texts.difference}
          headings={[texts.member, texts.before, texts.after]}
          minWidth={320}
        >
          {differences.map(({ member, before, after }) => (
            <Table.Tr key={member}>
              <Table.Th scope="row">{member}</Table.Th>
              <Table.Td>{before !== undefined && <del>{before}</del>}</Table.Td>
              <Table.Td>{after !== undefined && <ins>{after}</ins>}</Table.Td>
            </Table.Tr>
          ))}
        </ScrollTable>
      )}
      <form method="dialog">
        <button type="submit" className="link">
          {texts.close}
        </button>
      </form>
    </Dialog>
  )
}
