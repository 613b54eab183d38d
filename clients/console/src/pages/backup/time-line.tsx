import { Button, Group, NativeSelect } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { type KeyboardEvent, useRef, useState } from 'react'
import { momentText } from '../../format.ts'
import { bucketsOf, type Moment, type Span, spanOf, ticksOf } from './moments.ts'
import { texts as all } from './texts.ts'
import './time-line.css'

const texts = all.timeLine
const dayMs = 86_400_000
/** So wide is a mark with the gap beside it, in pixels. */
const markWidth = 30
/** So wide is the text of a tick at most, in pixels. */
const tickWidthMax = 90
const spans = [7, 30, 90, 365] as const

/**
 * Moments on an axis of days. One mark stands for several moments where they are close, and opens up that time; arrow keys go from mark
 * to mark.
 */
export function TimeLine({
  label,
  moments,
  chosen,
  onChoose,
}: {
  readonly label: string
  /** Oldest first. */
  readonly moments: readonly Moment[]
  /** The id of the moment that is looked at. */
  readonly chosen?: string | undefined
  readonly onChoose: (id: string) => void
}) {
  const [span, setSpan] = useState<Span>()
  const { ref, width } = useElementSize<HTMLDivElement>()
  const [newest] = moments.slice(-1)
  if (newest === undefined) return null
  const whole = spanOf(moments)
  const shown = span ?? whole
  const columns = Math.max(4, Math.floor(width / markWidth))
  const buckets = width === 0 ? [] : bucketsOf(moments, shown, columns)
  const open = (ids: readonly Moment[]) => {
    const [first, ...others] = ids
    if (first === undefined) return
    const last = others.at(-1) ?? first
    if (others.length === 0 || last.at === first.at) onChoose(last.id)
    else setSpan({ from: first.at - 1, to: last.at + 1 })
  }
  const tabStop = Math.max(
    buckets.findIndex(({ moments: inside }) => inside.some(({ id }) => id === chosen)),
    chosen === undefined ? buckets.length - 1 : 0,
  )
  return (
    <div className="time-line">
      <Group justify="flex-end" gap="xs">
        {span && (
          <Button variant="default" size="xs" onClick={() => setSpan(undefined)}>
            {texts.showAll}
          </Button>
        )}
        {whole.to - whole.from > 8 * dayMs && (
          <NativeSelect
            size="xs"
            aria-label={texts.shown}
            value={span === undefined ? 'all' : 'chosen'}
            onChange={({ currentTarget: { value } }) =>
              setSpan(value === 'all' ? undefined : { from: whole.to - Number(value) * dayMs, to: whole.to })
            }
            data={[
              { value: 'all', label: texts.everything },
              ...(span ? [{ value: 'chosen', label: spanText(shown) }] : []),
              ...spans
                .filter((days) => days * dayMs < whole.to - whole.from)
                .map((days) => ({ value: String(days), label: texts.lastDays(days) })),
            ]}
          />
        )}
      </Group>
      <div className="time-line-frame">
        <div className="time-line-marks" role="toolbar" aria-label={label} ref={ref}>
          {buckets.map(({ at, kind, isPinned, moments: inside }, index) => (
            <Mark
              key={inside[0]?.id}
              place={(at - shown.from) / (shown.to - shown.from)}
              kind={kind}
              isPinned={isPinned}
              isChosen={inside.some(({ id }) => id === chosen)}
              isTabStop={index === tabStop}
              count={inside.length}
              label={labelOf(inside, kind)}
              onOpen={() => open(inside)}
            />
          ))}
        </div>
        <div className="time-line-axis" aria-hidden="true">
          {width > 0 &&
            ticksOf(shown, Math.max(2, Math.floor(width / 110))).map(({ at, text }) => {
              const place = (at - shown.from) / (shown.to - shown.from)
              return (
                <span key={at} data-edge={edgeOf(place, width)} style={{ insetInlineStart: percent(place) }}>
                  {text}
                </span>
              )
            })}
        </div>
      </div>
    </div>
  )
}

function Mark({
  place,
  kind,
  isPinned,
  isChosen,
  isTabStop,
  count,
  label,
  onOpen,
}: {
  readonly place: number
  readonly kind: Moment['kind']
  readonly isPinned: boolean
  readonly isChosen: boolean
  readonly isTabStop: boolean
  readonly count: number
  readonly label: string
  readonly onOpen: () => void
}) {
  const button = useRef<HTMLButtonElement>(null)
  return (
    <button
      ref={button}
      type="button"
      className="time-line-mark"
      data-kind={kind}
      data-pinned={isPinned || undefined}
      aria-pressed={isChosen}
      aria-label={label}
      title={label}
      tabIndex={isTabStop ? 0 : -1}
      style={{ insetInlineStart: percent(place) }}
      onClick={onOpen}
      onKeyDown={goToOther}
    >
      {count > 1 ? count : texts.glyphs[kind]}
    </button>
  )
}

/** Arrow keys, Home and End lead to other marks of the same line. */
function goToOther(event: KeyboardEvent<HTMLButtonElement>): void {
  const marks = [...(event.currentTarget.parentElement?.querySelectorAll('button') ?? [])]
  const here = marks.indexOf(event.currentTarget)
  const target = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: marks.length - 1 }[event.key]
  if (target === undefined) return
  event.preventDefault()
  marks[target]?.focus()
}

/** What the marks of time lines mean. */
export function Legend({ kinds }: { readonly kinds: readonly Moment['kind'][] }) {
  return (
    <ul className="time-line-legend" aria-label={texts.legend}>
      {kinds.map((kind) => (
        <li key={kind}>
          <span className="time-line-sample" data-kind={kind} aria-hidden="true">
            {texts.glyphs[kind]}
          </span>
          {texts.kinds[kind]}
        </li>
      ))}
      <li>
        <span className="time-line-sample" data-pinned aria-hidden="true" />
        {texts.pinned}
      </li>
    </ul>
  )
}

function labelOf(moments: readonly Moment[], worst: Moment['kind']): string {
  const [first, ...others] = moments
  if (first === undefined) return ''
  const last = others.at(-1)
  return last === undefined
    ? `${momentText(first.at)}: ${first.label}`
    : texts.several(moments.length, momentText(first.at), momentText(last.at), texts.kinds[worst])
}

function spanText({ from, to }: Span): string {
  return `${momentText(from)} – ${momentText(to)}`
}

/** The end of the axis at which a text in the middle of its tick would stand out of the page. */
function edgeOf(place: number, width: number): 'start' | 'end' | undefined {
  if (place * width < tickWidthMax / 2) return 'start'
  return (1 - place) * width < tickWidthMax / 2 ? 'end' : undefined
}

function percent(share: number): string {
  return `${Math.round(share * 10_000) / 100}%`
}
