/** A line of values with no axes, for a look in passing: what it says stands in words beside it. */
export function Sparkline({
  values,
  color,
}: {
  readonly values: readonly number[]
  /** A colour of the palette: `var(--mantine-color-…)`. */
  readonly color: string
}) {
  const max = Math.max(...values, 1)
  const points = values.map((value, index) => `${index},${(1 - value / max) * 30 + 1}`)
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${Math.max(values.length - 1, 1)} 32`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polyline points={points.join(' ')} style={{ stroke: color }} vectorEffect="non-scaling-stroke" />
    </svg>
  )
}
