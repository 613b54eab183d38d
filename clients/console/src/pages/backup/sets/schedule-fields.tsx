import { Button, Checkbox, Group, NativeSelect, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.css'
import '@mantine/core/styles/InlineInput.css'
import { texts as all } from '../texts.ts'
import type { Draft, ScheduleItem } from './draft.ts'
import { timeOf, timeText } from './schedule-text.ts'

const texts = all.schedule
const kinds = ['daily', 'weekly', 'hourly', 'manual'] as const
const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** When a set runs by itself. */
export function ScheduleFields({
  draft: { schedule, timeZone },
  onChange,
}: {
  readonly draft: Draft
  readonly onChange: (part: Partial<Draft>) => void
}) {
  const replace = (index: number, item: ScheduleItem) =>
    onChange({ schedule: standsAlone(item) ? [item] : schedule.with(index, item) })
  return (
    <fieldset className="fields">
      <legend>{texts.legend}</legend>
      {schedule.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a schedule have no ids and only the last goes
        <Group key={index} align="end" mb="sm">
          <NativeSelect
            label={texts.kind}
            value={item.type}
            onChange={({ currentTarget: { value } }) => replace(index, defaultOf(value))}
            data={kinds.map((kind) => ({ value: kind, label: texts.kinds[kind] }))}
          />
          <Details item={item} onChange={(changed) => replace(index, changed)} />
          {schedule.length > 1 && index === schedule.length - 1 && (
            <Button variant="default" onClick={() => onChange({ schedule: schedule.slice(0, -1) })}>
              {texts.remove}
            </Button>
          )}
        </Group>
      ))}
      <Group align="end">
        <TextInput
          label={texts.timeZone}
          value={timeZone}
          onChange={({ currentTarget: { value } }) => onChange({ timeZone: value })}
          required
        />
        {!schedule.some(standsAlone) && (
          <Button
            variant="default"
            onClick={() => onChange({ schedule: [...schedule, defaultOf('weekly')] })}
          >
            {texts.add}
          </Button>
        )}
      </Group>
    </fieldset>
  )
}

function Details({
  item,
  onChange,
}: {
  readonly item: ScheduleItem
  readonly onChange: (item: ScheduleItem) => void
}) {
  if (item.type === 'manual') return null
  if (item.type === 'hourly') {
    return (
      <TextInput
        type="number"
        min={1}
        max={24}
        w="8rem"
        label={texts.hours}
        value={String(item.interval)}
        onChange={({ currentTarget: { value } }) => onChange({ ...item, interval: Number(value) })}
        required
      />
    )
  }
  return (
    <>
      <TextInput
        type="time"
        label={texts.at}
        value={timeText(item)}
        onChange={({ currentTarget: { value } }) => onChange({ ...item, ...timeOf(value) })}
        required
      />
      {item.type === 'daily' && (
        <Checkbox
          label={texts.workDaysOnly}
          checked={item.workDaysOnly ?? false}
          onChange={({ currentTarget: { checked } }) => onChange({ ...item, workDaysOnly: checked })}
        />
      )}
      {item.type === 'weekly' && (
        <Group gap="sm" role="group" aria-label={texts.on}>
          {days.map((day) => (
            <Checkbox
              key={day}
              label={texts.days[day]}
              checked={item.days.includes(day)}
              onChange={({ currentTarget: { checked } }) =>
                onChange({
                  ...item,
                  days: days.filter((other) => (other === day ? checked : item.days.includes(other))),
                })
              }
            />
          ))}
        </Group>
      )}
    </>
  )
}

/** The service takes these without others beside them. */
function standsAlone({ type }: ScheduleItem): boolean {
  return type === 'manual' || type === 'hourly'
}

function defaultOf(kind: string): ScheduleItem {
  if (kind === 'hourly') return { type: 'hourly', interval: 6 }
  if (kind === 'weekly') return { type: 'weekly', days: ['Sunday'], hour: 12, minute: 0 }
  return kind === 'daily' ? { type: 'daily', hour: 23, minute: 0 } : { type: 'manual' }
}
