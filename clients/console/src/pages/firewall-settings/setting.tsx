import { Button } from '@mantine/core'
import type { FirewallField } from '@palisade/sdk'
import { useId } from 'react'
import { mayChange } from '../../rights.ts'
import { useSession } from '../../use-session.ts'
import { rangeOf } from './check-value.ts'
import { FieldInput } from './field-input.tsx'
import { labelOf } from './kinds.ts'
import { texts as all } from './texts.ts'
import { type Change, defaultOf, isSame, lineOf, type Value } from './values.ts'

const texts = all.field

/** A field with its label, its help, what it is by default, and what is wrong with it. */
export function Setting({
  name,
  field,
  shown,
  change,
  problem,
  isNew = false,
  onChange,
  onUndo,
}: {
  readonly name: string
  readonly field: FirewallField
  /** What it holds now. */
  readonly shown: Value
  /** What somebody has made of it and not saved. */
  readonly change: Change | undefined
  readonly problem: string | undefined
  /** Whether the object is about to be created. */
  readonly isNew?: boolean
  readonly onChange: (value: Value) => void
  readonly onUndo: () => void
}) {
  const id = useId()
  const initial = defaultOf(field)
  const value = change?.value ?? shown
  const isFixed = field.isCreateOnly === true && !isNew
  const isAllowed = mayChange(useSession(), 'firewall')
  const wasChangedByOthers = change !== undefined && !isNew && !isSame(change.before, shown)
  // What is chosen of several has a label for each.
  const Label = field.isList && field.values ? 'span' : 'label'
  return (
    <div className="setting" data-changed={change !== undefined} data-field={name}>
      <div>
        <Label id={`${id}-label`} {...(Label === 'label' ? { htmlFor: id } : {})} className="setting-label">
          {labelOf(name, all.initials)}
        </Label>{' '}
        {field.isRequired && <span className="tag">{texts.required}</span>}{' '}
        {change !== undefined && (
          <span className="tag" data-kind="changed">
            {texts.changed}
          </span>
        )}
        <div id={`${id}-help`} className="setting-help">
          <code>{name}</code> {helpOf(field)} {field.isNumber && rangeOf(field)} {isFixed && texts.atCreation}{' '}
          {field.isSecret && !isNew && !isFixed && isAllowed && texts.secret}
        </div>
      </div>
      <div>
        <FieldInput
          field={field}
          value={value}
          onChange={onChange}
          id={id}
          describedBy={`${id}-help ${id}-problem`}
          isInvalid={problem !== undefined}
          isDisabled={isFixed || !isAllowed}
        />
        <div id={`${id}-problem`} className="setting-problem" aria-live="polite">
          {problem}
        </div>
        {wasChangedByOthers && (
          <div className="setting-problem">
            {texts.others} {lineOf(shown) || texts.empty}
          </div>
        )}
        <div className="setting-help">
          {field.default !== undefined && !isSame(value, initial) && (
            <>
              {texts.initially} {lineOf(initial) || texts.empty}{' '}
              {isAllowed && !isFixed && (
                <Button
                  variant="default"
                  size="compact-xs"
                  onClick={() => onChange(initial)}
                  aria-describedby={`${id}-label`}
                >
                  {texts.useDefault}
                </Button>
              )}
            </>
          )}
          {change !== undefined && (
            <Button variant="default" size="compact-xs" onClick={onUndo} aria-describedby={`${id}-label`}>
              {texts.undo}
            </Button>
          )}
        </div>
      </div>
    </div>
  )
}

/** The description without what the form shows by itself. */
function helpOf({ description = '', names, default: initial }: FirewallField): string {
  const help = description
    .replace(/(?:^|(?<= ))Names an? .+?\.(?= |$)/, '')
    .replace('Decided at creation.', '')
    .replace(`${initial} when left out.`, '')
    .trim()
  return names === undefined ? help : `${help} ${texts.chosenBy} ${names.join(', ')}.`
}
