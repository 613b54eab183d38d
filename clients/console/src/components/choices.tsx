import { Checkbox, Fieldset, Group } from '@mantine/core'
import '@mantine/core/styles/Checkbox.css'
import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Fieldset.css'

/** Boxes of which any number may be ticked, as a field of a form. */
export function Choices({
  legend,
  name,
  options,
  chosen = [],
}: {
  readonly legend: string
  readonly name: string
  /** Values, and what they are called. */
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly chosen?: readonly string[]
}) {
  return (
    <Fieldset legend={legend}>
      <Group gap="md">
        {options.map(([value, label]) => (
          <Checkbox
            key={value}
            name={name}
            value={value}
            label={label}
            defaultChecked={chosen.includes(value)}
          />
        ))}
      </Group>
    </Fieldset>
  )
}
