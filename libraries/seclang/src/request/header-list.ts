import { Content } from '../engine/content.ts'

/** A name with a value, both ready for inspection. */
export interface NamedContent {
  readonly name: Content
  readonly value: Content
}

/** Pairs of names and values that came in turn. */
export function headerList(headers: readonly string[]): readonly NamedContent[] {
  const list: NamedContent[] = []
  for (let at = 0; at + 1 < headers.length; at += 2) {
    list.push({ name: new Content(headers[at] ?? ''), value: new Content(headers[at + 1] ?? '') })
  }
  return list
}

/** The first header of that name. */
export function headerValue(headers: readonly string[], lowerName: string): string | undefined {
  for (let at = 0; at + 1 < headers.length; at += 2) {
    if (headers[at]?.toLowerCase() === lowerName) return headers[at + 1]
  }
  return undefined
}
