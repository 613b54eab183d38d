import type { Argument, ParsedBody } from './parsed-body.ts'

/** Arguments of a query string or a form. */
export interface UrlEncoded {
  readonly arguments: readonly Argument[]
  /** Whether some `%` was not followed by two hexadecimal digits; such a `%` stays as it is. */
  readonly hasInvalidEscapes: boolean
}

/**
 * Splits and decodes `a=1&b=2`. An empty piece between two separators is an argument without name and value; nothing
 * follows a separator at the end.
 *
 * @param text a byte string
 * @param separator each of its characters separates
 */
export function parseUrlEncoded(text: string, separator: string): UrlEncoded {
  const argumentList: Argument[] = []
  let hasInvalidEscapes = false
  let start = 0
  while (start < text.length) {
    const next = nextOf(separator, text, start)
    const end = next === -1 ? text.length : next
    const piece = text.slice(start, end)
    const equals = piece.indexOf('=')
    const nameEnd = equals === -1 ? piece.length : equals
    argumentList.push({ name: decode(piece.slice(0, nameEnd)), value: decode(piece.slice(nameEnd + 1)) })
    start = end + 1
  }
  return { arguments: argumentList, hasInvalidEscapes }

  function decode(encoded: string): string {
    const spaced = encoded.includes('+') ? encoded.replaceAll('+', ' ') : encoded
    if (!spaced.includes('%')) return spaced
    return spaced.replace(/%([0-9a-fA-F]{2})?/g, (written, digits: string | undefined) => {
      if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16))
      hasInvalidEscapes = true
      return written
    })
  }
}

function nextOf(separators: string, text: string, start: number): number {
  if (separators.length === 1) return text.indexOf(separators, start)
  const places = Array.from(separators, (separator) => text.indexOf(separator, start))
  return Math.min(...places.map((place) => (place === -1 ? text.length : place)))
}

/** The body processor URLENCODED. */
export function parseUrlEncodedBody(text: string, separator: string): ParsedBody {
  return { ...parseUrlEncoded(text, separator), isText: true }
}
