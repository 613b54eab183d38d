import './bars.css'

/** One bar. */
export interface Bar {
  readonly label: string
  readonly value: number
  /** A colour of the palette: `var(--mantine-color-…)`. */
  readonly color: string
  /** What stands behind the bar; the value without it. */
  readonly text?: string
}

/** Amounts side by side, as bars and in figures. @param of what a full bar stands for */
export function Bars({ bars, of }: { readonly bars: readonly Bar[]; readonly of: number }) {
  return (
    <dl className="bars">
      {bars.map(({ label, value, color, text = String(value) }) => (
        <div key={label} className="bar">
          <dt>{label}</dt>
          <dd className="bar-track" aria-hidden="true">
            <div
              className="bar-value"
              style={{ width: `${of > 0 ? (Math.min(value, of) / of) * 100 : 0}%`, background: color }}
            />
          </dd>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}
