import { Checkbox, NativeSelect, Switch, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.css'
import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Switch.css'
import type { FirewallField } from '@palisade/sdk'
import { useId } from 'react'
import { ReferenceInput } from './reference-input.tsx'
import { texts as all } from './texts.ts'
import { itemsOf, textOf, type Value } from './values.ts'

const texts = all.field

/** Longer texts than this get several lines. */
const lineLengthMax = 4096

/** What an input of any sort needs. */
export interface InputProperties {
  readonly field: FirewallField
  readonly value: Value
  readonly onChange: (value: Value) => void
  /** Ties the input to its label and its help. */
  readonly id: string
  readonly describedBy: string
  readonly isInvalid: boolean
  readonly isDisabled: boolean
}

/** The input that fits a field: a switch, a choice, a number, a list, a name of another object, or text. */
export function FieldInput(properties: InputProperties) {
  const { field, value } = properties
  const { values } = field
  if (field.isList && values) return <Choices {...properties} values={values} />
  if (values) return <Choice {...properties} values={values} />
  if (field.isList) return <Lines {...properties} hint={texts.perLine} />
  if (field.names) return <ReferenceInput {...properties} names={field.names} />
  if (field.isSecret && (field.lengthMax ?? 0) <= lineLengthMax)
    return <Line {...properties} type="password" />
  const text = textOf(value)
  if ((field.lengthMax ?? 0) > lineLengthMax || text.includes('\n')) return <Lines {...properties} />
  return <Line {...properties} />
}

function commonOf({ id, describedBy, isInvalid, isDisabled }: InputProperties) {
  return { id, disabled: isDisabled, error: isInvalid, 'aria-describedby': describedBy }
}

const switches = [
  ['On', 'Off'],
  ['Yes', 'No'],
] as const

function Choice(properties: InputProperties & { readonly values: readonly string[] }) {
  const { value, values, onChange } = properties
  const pair = switches.find(
    ([yes, no]) => values.length === 2 && values.includes(yes) && values.includes(no),
  )
  if (pair?.some((one) => one === value)) {
    const [yes, no] = pair
    return (
      <span className="setting-switch">
        <Switch
          {...commonOf(properties)}
          checked={value === yes}
          onChange={({ currentTarget }) => onChange(currentTarget.checked ? yes : no)}
        />
        <span aria-hidden="true">{value}</span>
      </span>
    )
  }
  const choices = typeof value === 'string' && values.includes(value) ? values : ['', ...values]
  return (
    <NativeSelect
      {...commonOf(properties)}
      value={textOf(value)}
      data={choices.map((choice) => ({ value: choice, label: choice === '' ? texts.none : choice }))}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

/** A list of which each item is one of a few. */
function Choices(properties: InputProperties & { readonly values: readonly string[] }) {
  const { value, values, onChange, isDisabled, id, describedBy } = properties
  const chosen = typeof value === 'string' ? [value] : value
  const name = useId()
  return (
    <fieldset aria-labelledby={`${id}-label`} aria-describedby={describedBy} className="setting-choices">
      {values.map((choice) => (
        <Checkbox
          key={choice}
          name={name}
          label={choice}
          disabled={isDisabled}
          checked={chosen.includes(choice)}
          onChange={({ currentTarget }) =>
            onChange(
              currentTarget.checked
                ? values.filter((one) => one === choice || chosen.includes(one))
                : chosen.filter((one) => one !== choice),
            )
          }
        />
      ))}
    </fieldset>
  )
}

/** A list of texts, one a line, or a text of several lines. */
function Lines(properties: InputProperties & { readonly hint?: string }) {
  const { field, value, hint, onChange } = properties
  const text = textOf(value)
  return (
    <Textarea
      {...commonOf(properties)}
      // What is being typed keeps its empty lines; they are left out when it is left.
      value={text}
      placeholder={hint}
      rows={Math.min(Math.max(text.split('\n').length, 2), 12)}
      onChange={({ currentTarget }) =>
        onChange(field.isList ? currentTarget.value.split('\n') : currentTarget.value)
      }
      onBlur={() => {
        if (field.isList) onChange(itemsOf(text))
      }}
    />
  )
}

function Line(properties: InputProperties & { readonly type?: 'password' }) {
  const { field, value, type, onChange } = properties
  return (
    <TextInput
      {...commonOf(properties)}
      value={textOf(value)}
      {...(type === undefined ? {} : { type, autoComplete: 'new-password' })}
      {...(field.isNumber ? { inputMode: 'numeric' as const } : {})}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
