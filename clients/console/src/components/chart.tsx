import { Table, useComputedColorScheme } from '@mantine/core'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
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
  unit = '',
}: {
  readonly title: string
  /** Seconds since 1970, ascending. */
  readonly times: readonly number[]
  readonly series: readonly Series[]
  /** Stands behind every value, such as ` ms`. */
  readonly unit?: string
}) {
  const [frame, setFrame] = useState<HTMLDivElement | null>(null)
  const { ref, width } = useElementSize<HTMLDivElement>()
  const frameRef = useMergedRef(ref, setFrame)
  const chart = useRef<UPlot>(undefined)
  const colorScheme = useComputedColorScheme()
  // Another set of lines, another width or another scheme makes the chart anew; new values alone do not.
  const shape = JSON.stringify([series.map(({ label, color }) => [label, color]), unit, width, colorScheme])
  // biome-ignore lint/correctness/useExhaustiveDependencies: shape holds what the chart is made of
  useEffect(() => {
    if (width === 0 || frame === null) return
    const drawn = new UPlot(optionsOf(series, width, unit), [[], ...series.map(() => [])], frame)
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
        <Figures title={title} times={times} series={series} unit={unit} />
      </details>
    </figure>
  )
}

function Figures({
  title,
  times,
  series,
  unit,
}: {
  readonly title: string
  readonly times: readonly number[]
  readonly series: readonly Series[]
  readonly unit: string
}) {
  return (
    <ScrollTable label={title} headings={[texts.time, ...series.map(({ label }) => label)]} minWidth={240}>
      {times.map((time, row) => (
        <Table.Tr key={time}>
          <Table.Th scope="row">{new Date(time * 1000).toLocaleString('en')}</Table.Th>
          {series.map(({ label, values }) => (
            <Table.Td key={label}>{valueText(values[row], unit)}</Table.Td>
          ))}
        </Table.Tr>
      ))}
    </ScrollTable>
  )
}

function valueText(value: number | null | undefined, unit: string): string {
  return typeof value === 'number' ? `${value}${unit}` : ''
}

function optionsOf(series: readonly Series[], width: number, unit: string): UPlot.Options {
  const text = colorOf('var(--mantine-color-text)')
  const grid = colorOf('var(--mantine-color-default-border)')
  const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } }
  return {
    width,
    height,
    legend: { live: false },
    scales: { y: { range: (_chart, _min, max) => [0, Math.max(max * 1.1, 1)] } },
    axes: [axis, { ...axis, size: 64, values: (_chart, splits) => splits.map((split) => `${split}${unit}`) }],
    series: [
      {},
      ...series.map(({ label, color }) => ({
        label,
        stroke: colorOf(color),
        width: 2,
        points: { show: false },
      })),
    ],
  }
}

/** The canvas knows no variables of style sheets. */
function colorOf(color: string): string {
  const name = /^var\((--[\w-]+)\)$/.exec(color)?.[1]
  return name === undefined ? color : getComputedStyle(document.documentElement).getPropertyValue(name)
}
