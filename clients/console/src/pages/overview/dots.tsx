import { texts } from './texts.ts'

/** A mark for each of up to this many things; the figures below count all. */
const dotsMax = 120

/** Many things at a glance: those that are not as they should be stand first. */
export function Dots({
  good,
  bad,
  words,
}: {
  readonly good: number
  readonly bad: number
  readonly words: { readonly one: string; readonly good: string; readonly bad: string; readonly none: string }
}) {
  const all = good + bad
  if (all === 0) return <p className="quiet">{words.none}</p>
  return (
    <>
      <div className="dots" aria-hidden="true">
        {Array.from({ length: Math.min(all, dotsMax) }, (_, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the marks are all alike
          <span key={place} className="dot" data-bad={place < bad} />
        ))}
      </div>
      <p>
        <strong>{good}</strong> {good === 1 ? words.one : words.good}
        {bad > 0 && (
          <>
            , <strong>{bad}</strong> {words.bad}
          </>
        )}
        {all > dotsMax && ` ${texts.more}`}
      </p>
    </>
  )
}
