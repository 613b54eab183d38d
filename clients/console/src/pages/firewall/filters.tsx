import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import '@mantine/core/styles/Combobox.css'
import { useNavigate } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { actions, askedFor, filtersIn, type LogFilters, spans, textFields } from './log-filters.ts'
import { texts as all } from './texts.ts'

const texts = all.filters

/** Those that are shown when somebody wants them. */
const moreFilters = ['in', 'client', 'rule', 'from', 'to'] as const

/** The time zone of the browser, such as GMT+1: whoever asks may be in another. */
function timeZone(): string {
  const parts = new Intl.DateTimeFormat('en', { timeZoneName: 'short' }).formatToParts()
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

/** Whoever is told the number of a request may put it into the field for texts. */
function isSupportNumber(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

/** Asks which entries are wanted; the answer is the address of the page. */
export function Filters({
  filters,
  services,
}: {
  readonly filters: LogFilters
  readonly services: readonly string[]
}) {
  const navigate = useNavigate()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = Object.fromEntries(new FormData(event.currentTarget))
    const [given = '', text = ''] = [form.request, form.text].map((one) => String(one ?? '').trim())
    const request = given === '' && isSupportNumber(text) ? text : given
    if (request !== '') {
      void navigate({ to: '/firewall/requests/$request', params: { request } })
      return
    }
    void navigate({ to: '/firewall/log', search: askedFor(filtersIn(form), filters) })
  }
  // A service that was deleted since has entries still.
  const known = filters.service === undefined || services.includes(filters.service)
  const names = known ? services : [...services, filters.service]
  return (
    // The fields begin anew with the filters of each address.
    <form key={JSON.stringify(filters)} onSubmit={submit} className="filters">
      <Choice
        name="service"
        label={texts.service}
        value={filters.service}
        options={[['', texts.everyService], ...names.map((name) => [name ?? '', name ?? ''] as const)]}
      />
      <Choice
        name="action"
        label={texts.action}
        value={filters.action}
        options={[
          ['', texts.everyAction],
          ...actions.map((action) => [action, texts.actions[action]] as const),
        ]}
      />
      <Choice
        name="since"
        label={texts.since}
        value={filters.since}
        options={[
          ['', texts.anyTime],
          ...(Object.keys(spans) as (keyof typeof spans)[]).map((span) => [span, texts.spans[span]] as const),
        ]}
      />
      <TextInput
        type="datetime-local"
        name="around"
        label={texts.around(timeZone())}
        defaultValue={filters.around ?? ''}
      />
      <TextInput
        name="text"
        label={texts.text(texts.fields[filters.in ?? 'url'])}
        defaultValue={filters.text ?? ''}
      />
      <TextInput name="request" label={texts.request} placeholder={texts.requestHint} />
      <details open={moreFilters.some((name) => filters[name] !== undefined)}>
        <summary>{texts.more}</summary>
        <div className="filters">
          <Choice
            name="in"
            label={texts.in}
            value={filters.in}
            options={textFields.map((field) => [field, texts.fields[field]] as const)}
          />
          <TextInput
            name="client"
            label={texts.client}
            placeholder="192.0.2.7"
            defaultValue={filters.client ?? ''}
          />
          <TextInput name="rule" label={texts.rule} placeholder="942100" defaultValue={filters.rule ?? ''} />
          <TextInput type="datetime-local" name="from" label={texts.from} defaultValue={filters.from ?? ''} />
          <TextInput type="datetime-local" name="to" label={texts.to} defaultValue={filters.to ?? ''} />
        </div>
      </details>
      <Group gap="xs" className="filters-do">
        <Button type="submit" color="blue.8">
          {texts.show}
        </Button>
        {Object.keys(filters).length > 0 && (
          <Button variant="default" onClick={() => void navigate({ to: '/firewall/log', search: {} })}>
            {texts.clear}
          </Button>
        )}
      </Group>
    </form>
  )
}

function Choice({
  name,
  label,
  value,
  options,
}: {
  readonly name: string
  readonly label: string
  readonly value: string | undefined
  readonly options: readonly (readonly [value: string, label: string])[]
}) {
  return (
    <NativeSelect
      name={name}
      label={label}
      defaultValue={value ?? ''}
      data={options.map(([option, text]) => ({ value: option, label: text }))}
      // Selecting is asking: nobody looks for a button behind a list.
      onChange={(event) => event.currentTarget.form?.requestSubmit()}
    />
  )
}
