import { Group, NativeSelect } from '@mantine/core'
import '@mantine/core/styles/Combobox.css'
import { useNavigate } from '@tanstack/react-router'
import { texts as all } from '../texts.ts'
import { choices, type TaskFilters } from './task-filters.ts'

const texts = all.tasks

/** Asks which tasks are wanted; the answer is the address of the page. */
export function ChooseTasks({ filters }: { readonly filters: TaskFilters }) {
  const navigate = useNavigate()
  const choose = (name: keyof TaskFilters, value: string) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, [name]: value === '' ? undefined : value }),
    })
  return (
    <Group mb="md" align="end">
      {(Object.keys(choices) as (keyof TaskFilters)[]).map((name) => (
        <NativeSelect
          key={name}
          label={texts.filters[name]}
          value={filters[name] ?? ''}
          data={[
            { value: '', label: texts.everything[name] },
            ...choices[name].map((value) => ({ value, label: labelOf(value) })),
          ]}
          onChange={({ currentTarget: { value } }) => choose(name, value)}
        />
      ))}
    </Group>
  )
}

const labels: Readonly<Record<string, string>> = { ...texts.types, ...texts.states, ...texts.spans }

function labelOf(value: string): string {
  return labels[value] ?? value
}
