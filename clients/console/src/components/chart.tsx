import { Table, useComputedColorScheme } from '@mantine/core'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { momentText } from '../format.ts'
import { texts } from '../texts.ts'
import { ScrollTable } from './scroll-table.tsx'

/** One line or area of a chart. */
export interface Series {
  readonly label: string
  /** A colour of the palette: `var(--mantine-color-…)`. */
  readonly color: string
  /** A value for each moment; null where there is none. */
  readonly values: readonly (number | null)[]
}

const height = 220

/** Values over time, and the same figures as a table for those who read rather than look. */
export function Chart({
  title,
  times,
  series,
  show = String,
}: {
  readonly title: string
  /** Seconds since 1970, ascending. */
  readonly times: readonly number[]
  readonly series: readonly Series[]
  /** A value with its unit, such as `12 ms`; the same function for as long as the chart is shown. */
  readonly show?: (value: number) => string
}) {
  const [frame, setFrame] = useState<HTMLDivElement | null>(null)
  const { ref, width } = useElementSize<HTMLDivElement>()
  const frameRef = useMergedRef(ref, setFrame)
  const chart = useRef<UPlot>(undefined)
  const colorScheme = useComputedColorScheme()
  // Another set of lines, another width or another scheme makes the chart anew; new values alone do not.
  const shape = JSON.stringify([series.map(({ label, color }) => [label, color]), width, colorScheme])
  // biome-ignore lint/correctness/useExhaustiveDependencies: shape holds what the chart is made of
  useEffect(() => {
    if (width === 0 || frame === null) return
    const drawn = new UPlot(optionsOf(series, width, show), [[], ...series.map(() => [])], frame)
    chart.current = drawn
    return () => drawn.destroy()
  }, [shape, frame])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a chart that was made anew has no values yet
  useEffect(() => {
    chart.current?.setData([[...times], ...series.map(({ values }) => [...values])])
  }, [times, series, shape, frame])
  return (
    <figure className="chart">
      <figcaption>{title}</figcaption>
      <div ref={frameRef} aria-hidden="true" />
      <details>
        <summary>{texts.figures}</summary>
        <Figures title={title} times={times} series={series} show={show} />
      </details>
    </figure>
  )
}

function Figures({
  title,
  times,
  series,
  show,
}: {
  readonly title: string
  readonly times: readonly number[]
  readonly series: readonly Series[]
  readonly show: (value: number) => string
}) {
  return (
    <ScrollTable label={title} headings={[texts.time, ...series.map(({ label }) => label)]} minWidth={240}>
      {times.map((time, row) => (
        <Table.Tr key={time}>
          <Table.Th scope="row">{momentText(time * 1000)}</Table.Th>
          {series.map(({ label, values }) => (
            <Table.Td key={label}>{valueText(values[row], show)}</Table.Td>
          ))}
        </Table.Tr>
      ))}
    </ScrollTable>
  )
}

function valueText(value: number | null | undefined, show: (value: number) => string): string {
  return typeof value === 'number' ? show(value) : ''
}

const dayText = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' })
const clockText = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const daySeconds = 86_400

/** What stands below the axis of time: hours and minutes, and the day wherever it begins. */
function timeLabels(_chart: UPlot, splits: number[], _axis: number, _space: number, step: number): string[] {
  const days = splits.map((split) => dayText.format(split * 1000))
  return splits.map((split, index) => {
    const day = days[index] === days[index - 1] ? '' : (days[index] ?? '')
    return step >= daySeconds ? day : `${clockText.format(split * 1000)}\n${day}`
  })
}

/** Values without a neighbour, of which no line is drawn. */
function lonelyPoints(chart: UPlot, series: number): number[] {
  const values = chart.data[series] ?? []
  const isHere = (index: number) => typeof values[index] === 'number'
  return Array.from(values.keys()).filter(
    (index) => isHere(index) && !isHere(index - 1) && !isHere(index + 1),
  )
}

function optionsOf(series: readonly Series[], width: number, show: (value: number) => string): UPlot.Options {
  const text = colorOf('var(--mantine-color-text)')
  const grid = colorOf('var(--mantine-color-default-border)')
  const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } }
  return {
    width,
    height,
    legend: { live: false },
    scales: { y: { range: (_chart, _min, max) => [0, Math.max(max * 1.1, 1)] } },
    axes: [
      { ...axis, values: timeLabels },
      { ...axis, size: 72, values: (_chart, splits) => splits.map(show) },
    ],
    series: [
      {},
      ...series.map(({ label, color }) => ({
        label,
        stroke: colorOf(color),
        width: 2,
        points: { show: false, size: 6, filter: lonelyPoints },
      })),
    ],
  }
}

/** The canvas knows no variables of style sheets. */
function colorOf(color: string): string {
  const name = /^var\((--[\w-]+)\)$/.exec(color)?.[1]
  return name === undefined ? color : getComputedStyle(document.documentElement).getPropertyValue(name)
}
