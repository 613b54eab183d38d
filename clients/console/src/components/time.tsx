import { momentText } from '../format.ts'
import { texts } from '../texts.ts'

/** A moment in the time zone of the browser. @param at ISO 8601, or null for what never happened */
export function Time({ at }: { readonly at: string | null }) {
  return at === null ? texts.never : <time dateTime={at}>{momentText(at)}</time>
}
