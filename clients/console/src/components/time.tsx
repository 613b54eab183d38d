import { momentText, secondText } from '../format.ts'
import { texts } from '../texts.ts'

/** A moment in the time zone of the browser. */
export function Time({
  at,
  toTheSecond = false,
}: {
  /** ISO 8601, or null for what never happened. */
  readonly at: string | null
  readonly toTheSecond?: boolean
}) {
  if (at === null) return texts.never
  return <time dateTime={at}>{toTheSecond ? secondText(at) : momentText(at)}</time>
}
