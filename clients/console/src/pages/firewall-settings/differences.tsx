import { Table } from '@mantine/core'
import { ScrollTable } from '../../components/scroll-table.tsx'
import { labelOf } from './kinds.ts'
import { texts as all } from './texts.ts'
import { lineOf } from './values.ts'

const texts = all.checkpoints

interface ChangedObject {
  readonly kind: string
  readonly path: readonly string[]
}

/** What was added, changed and removed between two states of the configuration, as the service tells it. */
export interface Differences {
  readonly 'added count': number
  readonly 'changed count': number
  readonly 'removed count': number
  readonly added: readonly ChangedObject[]
  readonly changed: readonly (ChangedObject & {
    readonly changes: readonly {
      readonly section?: string
      readonly member: string
      readonly old: unknown
      readonly new: unknown
    }[]
  })[]
  readonly removed: readonly ChangedObject[]
}

/** Shows what has changed since a checkpoint. */
export function DifferencesView({ differences }: { readonly differences: Differences }) {
  const { added, changed, removed } = differences
  const count = differences['added count'] + differences['changed count'] + differences['removed count']
  if (count === 0) return <p role="status">{texts.unchanged}</p>
  return (
    <>
      <ObjectList title={texts.added} objects={added} count={differences['added count']} />
      <ObjectList title={texts.removed} objects={removed} count={differences['removed count']} />
      {changed.length > 0 && (
        <>
          <h3 className="section-title">
            {texts.changed}: {differences['changed count']}
          </h3>
          <ScrollTable
            label={texts.changed}
            headings={[texts.setting, texts.before, texts.now]}
            minWidth={440}
          >
            {changed.flatMap((object) =>
              object.changes.map(({ section = '', member, old, new: now }) => (
                <Table.Tr key={`${nameOf(object)} ${section} ${member}`}>
                  <Table.Th scope="row">
                    {labelOf(member, all.initials)}
                    <div className="setting-help">
                      {nameOf(object)} {section}
                    </div>
                  </Table.Th>
                  <Table.Td className="setting-value">{valueText(old)}</Table.Td>
                  <Table.Td className="setting-value">{valueText(now)}</Table.Td>
                </Table.Tr>
              )),
            )}
          </ScrollTable>
        </>
      )}
    </>
  )
}

function ObjectList({
  title,
  objects,
  count,
}: {
  readonly title: string
  readonly objects: readonly ChangedObject[]
  readonly count: number
}) {
  if (count === 0) return null
  return (
    <>
      <h3 className="section-title">
        {title}: {count}
      </h3>
      <ul className="items">
        {objects.map((object) => (
          <li key={nameOf(object)}>{nameOf(object)}</li>
        ))}
        {count > objects.length && (
          <li>
            … {count - objects.length} {texts.andMore}
          </li>
        )}
      </ul>
    </>
  )
}

function nameOf({ kind, path }: ChangedObject): string {
  return `${kind} ${path.join('/')}`
}

function valueText(value: unknown): string {
  const text = Array.isArray(value) ? lineOf(value.map(String)) : String(value ?? '')
  return text === '' ? all.policies.empty : text
}
