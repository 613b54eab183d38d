import { Alert, Button, Group } from '@mantine/core'
import type { FirewallField } from '@palisade/sdk'
import { texts as shared } from '../../texts.ts'
import type { Members } from './management.ts'
import { Setting } from './setting.tsx'
import { texts as all } from './texts.ts'
import { type Destination, useForm } from './use-form.ts'
import { type Draft, type Fields, shownValue, type Value, withChange } from './values.ts'

const texts = all.form

/** The fields of an object or of a section of it, with what was changed and not saved. */
export function SettingsForm({
  title,
  fields,
  visible,
  members,
  draft,
  destination,
  onDraft,
  onRenamed,
}: {
  readonly title: string
  readonly fields: Fields
  /** The names of the fields that are shown. */
  readonly visible: readonly string[]
  readonly members: Members
  readonly draft: Draft
  readonly destination: Destination
  readonly onDraft: (draft: Draft) => void
  /** Is told the body of what was saved. */
  readonly onRenamed: (sent: Readonly<Record<string, Value>>) => void
}) {
  const form = useForm(fields, destination, (_done, sent) => {
    onDraft({})
    onRenamed(sent)
  })
  const shown = visible.flatMap((name) => {
    const field = fields[name]
    return field === undefined || field.isReadOnly ? [] : [[name, field] as const]
  })
  const row = ([name, field]: readonly [string, FirewallField]) => {
    const now = shownValue(field, members[name])
    return (
      <Setting
        key={name}
        name={name}
        field={field}
        shown={now}
        change={draft[name]}
        problem={form.problems[name]}
        onChange={(value) => {
          form.forget(name)
          onDraft(withChange(draft, name, value, now))
        }}
        onUndo={() => {
          form.forget(name)
          onDraft(Object.fromEntries(Object.entries(draft).filter(([one]) => one !== name)))
        }}
      />
    )
  }
  const kept = shown.filter(([, field]) => field.isKept)
  const count = Object.keys(draft).length
  return (
    <form
      aria-label={title}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        form.save(draft)
      }}
    >
      {shown.filter(([, field]) => !field.isKept).map(row)}
      {kept.length > 0 && (
        <fieldset className="settings-kept">
          <legend>{texts.kept}</legend>
          <p>{texts.keptWhy}</p>
          {kept.map(row)}
        </fieldset>
      )}
      <FormOutcome form={form} />
      {count > 0 && (
        <Group className="settings-save">
          <Button type="submit" color="blue.8" loading={form.isSaving}>
            {texts.save} {count} {count === 1 ? texts.change : texts.changes}
          </Button>
          <Button variant="default" onClick={() => onDraft({})}>
            {texts.discard}
          </Button>
        </Group>
      )}
    </form>
  )
}

/** What became of what was sent. */
export function FormOutcome({ form }: { readonly form: ReturnType<typeof useForm> }) {
  const { isConflict, problems, done } = form
  if (isConflict) {
    return (
      <Alert color="yellow" title={texts.conflict} role="alert">
        {texts.conflictWhy}
      </Alert>
    )
  }
  if (Object.keys(problems).length > 0) {
    return (
      <Alert color="red" title={shared.refused} role="alert">
        {problems[''] ?? texts.fix}
      </Alert>
    )
  }
  if (done === undefined) return null
  return (
    <Alert
      color={done.warning === undefined ? 'green' : 'yellow'}
      title={done.warning === undefined ? texts.saved : texts.savedBut}
      role="status"
    >
      {done.warning}
    </Alert>
  )
}
