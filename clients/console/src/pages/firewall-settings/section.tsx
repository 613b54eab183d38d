import type { FirewallField } from '@palisade/sdk'
import { useState } from 'react'
import { labelOf } from './kinds.ts'
import type { Members } from './management.ts'
import { SettingsForm } from './settings-form.tsx'
import { texts as all } from './texts.ts'
import type { Destination } from './use-form.ts'
import { type Draft, defaultOf, type Fields, isSame, lineOf, shownValue, type Value } from './values.ts'

const texts = all.object

/** A part of an object that opens: its own fields, or one of its sections. */
export function Section({
  segment,
  title,
  description,
  fields,
  visible,
  members,
  destination,
  isReadable,
  isOpen,
  onOpen,
  onUnsaved,
  onRenamed,
}: {
  /** Empty for the object's own fields. */
  readonly segment: string
  readonly title: string
  readonly description: string
  readonly fields: Fields
  readonly visible: readonly string[]
  readonly members: Members
  readonly destination: Destination
  /** Whether what is set is ever shown. */
  readonly isReadable: boolean
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
  /** Is told whether there is something that was changed and not saved. */
  readonly onUnsaved: (isUnsaved: boolean) => void
  readonly onRenamed: (sent: Readonly<Record<string, Value>>) => void
}) {
  // What is typed in one part makes nothing of the others anew.
  const [draft, setDraft] = useState<Draft>({})
  const changed = Object.keys(draft).length
  const others = Object.entries(fields).filter(([name, field]) => isNotDefault(field, members[name])).length
  const isKept = Object.values(fields).every(({ isKept, isReadOnly }) => isKept || isReadOnly)
  return (
    <details
      className="settings-section"
      data-section={segment}
      hidden={visible.length === 0}
      open={isOpen}
      onToggle={({ currentTarget }) => onOpen(currentTarget.open)}
    >
      <summary>
        <h2>{title}</h2>{' '}
        <span className="setting-help">
          {visible.length} {texts.settings}
        </span>{' '}
        {changed > 0 && <span className="tag" data-kind="changed">{`${changed} ${texts.unsaved}`}</span>}{' '}
        {others > 0 && <span className="tag">{`${others} ${texts.changedFromDefault}`}</span>}{' '}
        {isKept && <span className="tag">{texts.notEnforced}</span>}
      </summary>
      {isOpen && (
        <>
          <p className="setting-help">
            {description} {!isReadable && texts.writtenOnly}
          </p>
          <ReadOnlyFields fields={fields} visible={visible} members={members} />
          <SettingsForm
            title={title}
            fields={fields}
            visible={visible}
            members={members}
            draft={draft}
            destination={destination}
            onDraft={(next) => {
              setDraft(next)
              onUnsaved(Object.keys(next).length > 0)
            }}
            onRenamed={onRenamed}
          />
        </>
      )}
    </details>
  )
}

/** What is shown and never taken. */
function ReadOnlyFields({
  fields,
  visible,
  members,
}: {
  readonly fields: Fields
  readonly visible: readonly string[]
  readonly members: Members
}) {
  const shown = visible.flatMap((name) => {
    const field = fields[name]
    return field?.isReadOnly ? [{ name, field }] : []
  })
  if (shown.length === 0) return null
  return (
    <dl className="facts" aria-label={texts.readOnly}>
      {shown.map(({ name, field }) => (
        <div key={name} className="fact" data-field={name}>
          <dt>{labelOf(name, all.initials)}</dt>
          <dd>
            {lineOf(shownValue(field, members[name])) || '–'}{' '}
            <span className="setting-help">{field.description}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

function isNotDefault(field: FirewallField, shown: unknown): boolean {
  return (
    field.default !== undefined && shown !== undefined && !isSame(shownValue(field, shown), defaultOf(field))
  )
}
