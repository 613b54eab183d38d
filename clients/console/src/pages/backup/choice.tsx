import type { ReactNode } from 'react'

/** One of several ways, as a field to tap on with its reason beside it. */
export function Choice({
  name,
  title,
  hint,
  isChosen,
  isDisabled = false,
  onChoose,
}: {
  /** What the ways of one choice have in common. */
  readonly name: string
  readonly title: string
  readonly hint?: ReactNode
  readonly isChosen: boolean
  readonly isDisabled?: boolean
  readonly onChoose: () => void
}) {
  return (
    <label className="choice">
      <input type="radio" name={name} checked={isChosen} disabled={isDisabled} onChange={onChoose} />
      <span>
        {title}
        {hint !== undefined && <small>{hint}</small>}
      </span>
    </label>
  )
}
