import { TextInput } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { InputProperties } from './field-input.tsx'
import { type IndexedKind, kindsQuery } from './kinds.ts'
import { useManagement } from './management.ts'
import { textOf } from './values.ts'

/** The name of another object, with those that there are to choose from. */
export function ReferenceInput({
  names,
  value,
  onChange,
  id,
  describedBy,
  isInvalid,
  isDisabled,
}: InputProperties & {
  /** The kinds whose objects it names. */
  readonly names: readonly string[]
}) {
  const [isTouched, setTouched] = useState(false)
  const options = useNamesOf(names, isTouched)
  return (
    <>
      <TextInput
        id={id}
        aria-describedby={describedBy}
        error={isInvalid}
        disabled={isDisabled}
        value={textOf(value)}
        list={`${id}-names`}
        onFocus={() => setTouched(true)}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <datalist id={`${id}-names`}>
        {options.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}

/** The names of all objects of kinds that lie inside nothing. */
function useNamesOf(names: readonly string[], isWanted: boolean): readonly string[] {
  const management = useManagement()
  const kinds = useQuery(kindsQuery)
  const outermost = (kinds.data ?? []).filter(
    (kind: IndexedKind) => names.includes(kind.name) && kind.parent === undefined,
  )
  const listings = useQueries({
    queries: outermost.map(({ path, title }) => ({
      queryKey: ['firewall', path, 'names'],
      queryFn: async () => (await management.list(path, { groups: title })).map(([name]) => name),
      enabled: isWanted,
    })),
  })
  return listings.flatMap(({ data }) => data ?? [])
}
