import { Button, Group, Paper } from '@mantine/core'
import type { FirewallKind } from '@palisade/sdk'
import { useState } from 'react'
import { texts as shared } from '../../texts.ts'
import type { Place } from './kinds.ts'
import { Setting } from './setting.tsx'
import { FormOutcome } from './settings-form.tsx'
import { texts as all } from './texts.ts'
import { useForm } from './use-form.ts'
import { type Draft, defaultOf, withChange } from './values.ts'

const texts = all.collection

/** Asks for what a new object needs; what need not be said is folded away. */
export function CreateForm({
  place,
  kind,
  onCreated,
  onCancel,
}: {
  readonly place: Place
  readonly kind: FirewallKind
  /** Is told the name of the new object. */
  readonly onCreated: (name: string) => void
  readonly onCancel: () => void
}) {
  const [draft, setDraft] = useState<Draft>({})
  const form = useForm(kind.fields, { method: 'POST', address: place.address }, ({ id }, sent) =>
    onCreated(id ?? String(sent[kind.identifiedBy ?? ''])),
  )
  const fields = Object.entries(kind.fields).filter(([, { isReadOnly }]) => !isReadOnly)
  const row = ([name, field]: (typeof fields)[number]) => (
    <Setting
      key={name}
      name={name}
      field={field}
      shown={defaultOf(field)}
      change={draft[name]}
      problem={form.problems[name]}
      isNew
      onChange={(value) => {
        form.forget(name)
        setDraft(withChange(draft, name, value, defaultOf(field)))
      }}
      onUndo={() => setDraft(Object.fromEntries(Object.entries(draft).filter(([one]) => one !== name)))}
    />
  )
  const required = fields.filter(([, { isRequired }]) => isRequired)
  const others = fields.filter(([, { isRequired }]) => !isRequired)
  const title = `${texts.createOf} ${kind.title}`
  return (
    <Paper withBorder p="md" mb="md">
      <form
        aria-label={title}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          const needed = Object.fromEntries(required.map(([name]) => [name, { value: '', before: '' }]))
          form.save({ ...needed, ...draft })
        }}
      >
        <h2 className="section-title">{title}</h2>
        {required.map(row)}
        {others.length > 0 && (
          <details
            className="settings-more"
            open={others.some(([name]) => form.problems[name] !== undefined) || undefined}
          >
            <summary>{texts.more}</summary>
            {others.map(row)}
          </details>
        )}
        <FormOutcome form={form} />
        <Group mt="md">
          <Button type="submit" color="blue.8" loading={form.isSaving}>
            {texts.create}
          </Button>
          <Button variant="default" onClick={onCancel}>
            {shared.cancel}
          </Button>
        </Group>
      </form>
    </Paper>
  )
}
