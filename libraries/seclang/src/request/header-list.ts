import type { Content } from '../content/content.ts'
import type { ContentCache } from '../content/content-cache.ts'

/** A name with a value, both ready for inspection. */
export interface NamedContent {
  readonly name: Content
  readonly value: Content
}

/** Pairs of names and values that came in turn. */
export function headerList(headers: readonly string[], contents: ContentCache): readonly NamedContent[] {
  const list: NamedContent[] = []
  for (let at = 0; at + 1 < headers.length; at += 2) {
    list.push({ name: contents.of(headers[at] ?? ''), value: contents.of(headers[at + 1] ?? '') })
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

/** All headers of that name. */
export function headerValues(headers: readonly string[], lowerName: string): string[] {
  return headers.filter((_, at) => at % 2 === 1 && headers[at - 1]?.toLowerCase() === lowerName)
}
