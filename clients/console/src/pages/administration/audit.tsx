import './audit.css'
import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import '@mantine/core/styles/Combobox.css'
import { type AdministrationSchemas, answer, shellWord } from '@palisade/sdk'
import { getRouteApi } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { SameCall } from '../../components/command.tsx'
import { Listing } from '../../components/listing.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { Time } from '../../components/time.tsx'
import { pageQuery } from '../../read-all.ts'
import { useSession } from '../../use-session.ts'
import { AuditEntryDialog } from './audit-entry.tsx'
import { type AuditFilter, queryOf, readAuditFilter } from './audit-filter.ts'
import { texts as all } from './texts.ts'

const texts = all.audit
const route = getRouteApi('/shell/audit')
const services = ['administration', 'firewall', 'awareness', 'backup', 'email']

/** A line of the table. Entries are never managed by a file. */
export type Entry = Omit<AdministrationSchemas['schemas']['AuditEntry'], 'managedBy'>

/** Everything that anybody has changed, newest first. */
export function AuditPage() {
  const { administration } = useSession()
  const filter = route.useSearch()
  const [entry, setEntry] = useState<Entry>()
  const query = queryOf(filter)
  const filtered = new URLSearchParams({ ...query }).toString()
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead}>
        <Button
          component="a"
          variant="default"
          href={`/admin/v1/audit-export?${filtered}`}
          download="palisade-audit.ndjson"
        >
          {texts.export}
        </Button>
      </PageHead>
      <Filter filter={filter} />
      <Listing
        title={texts.title}
        name={['audit', query]}
        read={(after) =>
          answer(
            administration.GET('/audit', {
              params: { query: { ...pageQuery(after), order: '-at', ...query } },
            }),
          )
        }
        idOf={({ id }) => id}
        columns={[
          [texts.at, ({ at }) => <Time at={at} toTheSecond />],
          [texts.actor, ({ actor }) => actor],
          [texts.address, ({ address }) => address],
          [texts.service, ({ service }) => service],
          [
            texts.action,
            (shown) => (
              <button type="button" className="link" aria-haspopup="dialog" onClick={() => setEntry(shown)}>
                {shown.action}
              </button>
            ),
          ],
          [texts.target, ({ target }) => <span className="audit-target">{target}</span>],
        ]}
        {...(filtered !== '' && { empty: texts.nothingFound })}
      />
      <SameCall
        palisade={['palisade audit list --order=-at', ...optionsOf(query)].join(' ')}
        path={`/admin/v1/audit?order=-at${filtered === '' ? '' : `&${filtered}`}`}
      />
      {entry && <AuditEntryDialog entry={entry} onClose={() => setEntry(undefined)} />}
    </>
  )
}

function Filter({ filter }: { readonly filter: AuditFilter }) {
  const navigate = route.useNavigate()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    void navigate({ search: readAuditFilter(Object.fromEntries(form)) })
  }
  return (
    // Another filter, such as that of a link, fills the fields anew.
    <form className="filter card" key={JSON.stringify(filter)} onSubmit={submit}>
      <TextInput
        name="text"
        label={texts.text}
        placeholder={texts.examples.text}
        defaultValue={filter.text}
      />
      <TextInput
        name="actor"
        label={texts.actor}
        placeholder={texts.examples.actor}
        defaultValue={filter.actor}
      />
      <NativeSelect
        name="service"
        label={texts.service}
        defaultValue={filter.service}
        data={[{ value: '', label: texts.anyService }, ...services]}
      />
      <TextInput
        name="action"
        label={texts.action}
        placeholder={texts.examples.action}
        defaultValue={filter.action}
      />
      <TextInput
        name="target"
        label={texts.target}
        placeholder={texts.examples.target}
        defaultValue={filter.target}
      />
      <TextInput name="from" type="datetime-local" label={texts.from} defaultValue={filter.from} />
      <TextInput name="to" type="datetime-local" label={texts.to} defaultValue={filter.to} />
      <Group gap="xs">
        <Button type="submit">{texts.apply}</Button>
        <Button variant="default" onClick={() => void navigate({ search: {} })}>
          {texts.clear}
        </Button>
      </Group>
    </form>
  )
}

function optionsOf(query: AuditFilter): readonly string[] {
  return Object.entries(query).map(([name, value]) => shellWord(`--${name}=${value}`))
}
