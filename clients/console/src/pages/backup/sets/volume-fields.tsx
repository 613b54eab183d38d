import { Checkbox, Loader, Textarea } from '@mantine/core'
import '@mantine/core/styles/Checkbox.css'
import '@mantine/core/styles/InlineInput.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { bytesText } from '../../../format.ts'
import { Choice } from '../choice.tsx'
import { seenVolumesQuery, sourceText, useComputer } from '../data.ts'
import { texts as all } from '../texts.ts'
import { type Draft, selectedOf } from './draft.ts'

const texts = all.setVolumes

/** Which volumes a set backs up: all that there are then, or some of those that the agent sees now, and others by their paths. */
export function VolumeFields({
  draft,
  onChange,
}: {
  readonly draft: Draft
  readonly onChange: (part: Partial<Draft>) => void
}) {
  const { isEverything, selection, exclusions } = draft
  return (
    <fieldset className="fields">
      <legend>{texts.legend}</legend>
      <div className="choices">
        <Choice
          name="volumes"
          isChosen={isEverything}
          title={texts.everything}
          hint={texts.everythingMeans}
          onChoose={() => onChange({ isEverything: true })}
        />
        <Choice
          name="volumes"
          isChosen={!isEverything}
          title={texts.some}
          hint={texts.someMeans}
          onChoose={() => onChange({ isEverything: false })}
        />
      </div>
      {isEverything ? (
        <Lines
          label={texts.exclusions}
          selected={exclusions}
          onChange={(lines) => onChange({ exclusions: lines })}
        />
      ) : (
        <Some selection={selection} onChange={(chosen) => onChange({ selection: chosen })} />
      )}
    </fieldset>
  )
}

type Selection = Draft['selection']

/** The volumes that the agent sees now, and a field for others. */
function Some({
  selection,
  onChange,
}: {
  readonly selection: Selection
  readonly onChange: (selection: Selection) => void
}) {
  const { data, error, isPending } = useQuery(seenVolumesQuery(useComputer()))
  const isOf = (deviceId: string, sourceName: string) => (one: Selection[number]) =>
    one === deviceId || sourceText(one) === sourceName
  const seen = data ?? []
  const isSeen = (one: Selection[number]) =>
    seen.some(({ deviceId, source }) => isOf(deviceId, sourceText(source ?? ''))(one))
  const others = selection.filter((one) => !isSeen(one))
  return (
    <>
      {isPending && <Loader size="sm" aria-label={texts.looking} />}
      {error && <p className="quiet note">{texts.notSeen(error.message)}</p>}
      <div className="volume-boxes">
        {seen.map(({ deviceId, driveLetter, label, capacity, usedSpace, isSupported, source }) => {
          const isThis = isOf(deviceId, sourceText(source ?? ''))
          return (
            <Checkbox
              key={deviceId}
              label={[driveLetter, label, source ? sourceText(source) : deviceId].filter(Boolean).join(' ')}
              description={texts.used(bytesText(usedSpace), bytesText(capacity))}
              disabled={!isSupported}
              checked={selection.some(isThis)}
              onChange={({ currentTarget: { checked } }) =>
                onChange(checked ? [...selection, deviceId] : selection.filter((one) => !isThis(one)))
              }
            />
          )
        })}
      </div>
      <Lines
        label={texts.others}
        selected={others}
        onChange={(lines) => onChange([...selection.filter(isSeen), ...lines])}
      />
    </>
  )
}

/** Volumes by name, one a line. */
function Lines({
  label,
  selected,
  onChange,
}: {
  readonly label: string
  readonly selected: Selection
  readonly onChange: (selected: Selection) => void
}) {
  const [text, setText] = useState(selected.map(sourceText).join('\n'))
  return (
    <Textarea
      label={label}
      description={texts.linesMean}
      rows={2}
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value)
        onChange(
          value
            .split('\n')
            .map((line) => line.trim())
            .filter((line) => line !== '')
            .map(selectedOf),
        )
      }}
    />
  )
}
