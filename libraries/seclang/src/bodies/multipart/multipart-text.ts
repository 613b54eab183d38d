import { MultipartError } from './multipart-error.ts'
import type { MultipartFlags } from './multipart-flags.ts'

const newline = 10
const quote = 34

/** A multipart body with its boundary: finds lines that begin with it, and those that look as if they did. Every search is linear. */
export class MultipartText {
  /** A byte string. */
  readonly text: string
  readonly #boundary: string
  /** How boundary lines begin. */
  readonly marker: string

  constructor(text: string, boundary: string) {
    this.text = text
    this.#boundary = boundary
    this.marker = `--${boundary}`
  }

  /** Behind the line feed of a line; the end of the text for one that has none. */
  endOfLine(at: number): number {
    const lineFeed = this.text.indexOf('\n', at)
    return lineFeed === -1 ? this.text.length : lineFeed + 1
  }

  /** The line between two places that are known. */
  line(start: number, end: number): string {
    return this.text.slice(start, end)
  }

  /** Where the next boundary line begins; the end of the text where there is none. @param from where a line begins */
  nextBoundary(from: number): number {
    return nextLine(this.text, this.marker, from)
  }

  /**
   * Looks through lines that are no boundaries for what could be one to a careless parser.
   *
   * @param from where the first line begins @param to where the last one ends
   * @returns where the line begins that has to end everything, with why; otherwise `to`
   */
  lookThrough(from: number, to: number, flags: MultipartFlags): { until: number; error?: MultipartError } {
    // A slice is a view, and nothing is searched for beyond it.
    const lines = this.text.slice(from, to)
    let at = nextLine(lines, '--', 0)
    let error: MultipartError | undefined
    while (at < lines.length && error === undefined) {
      if (!isShort(lines, at)) {
        error = this.#misleading(lines, at, flags)
        if (error === undefined) flags.unmatchedBoundary = true
      }
      if (error === undefined) at = nextLine(lines, '--', at + 2)
    }
    const looked = error === undefined ? lines : lines.slice(0, at)
    if (!flags.unmatchedBoundary && looked.includes(this.marker)) flags.unmatchedBoundary = true
    return error === undefined ? { until: to } : { until: from + at, error }
  }

  /** Why a line with dashes could be a boundary to others. */
  #misleading(lines: string, at: number, flags: MultipartFlags): MultipartError | undefined {
    const first = lines.charCodeAt(at + 2)
    if (first === quote && flags.boundaryQuoted && lines.startsWith(this.#boundary, at + 3)) {
      return new MultipartError('Invalid boundary (quotes).')
    }
    let behind = at + 2
    while (isBlank(lines.charCodeAt(behind))) behind++
    if (behind > at + 2 && lines.startsWith(this.#boundary, behind)) {
      return new MultipartError('Invalid boundary (whitespace).')
    }
    return undefined
  }
}

/**
 * Where the next line begins that begins with this; the end where none does. What is rare in a body is searched for first, which line
 * feeds may not be.
 *
 * @param from where a line begins, or inside one that does so
 */
function nextLine(text: string, beginning: string, from: number): number {
  let at = text.indexOf(beginning, from)
  while (at > 0 && text.charCodeAt(at - 1) !== newline) {
    const lineFeed = text.indexOf('\n', at)
    at = lineFeed === -1 ? -1 : text.indexOf(beginning, lineFeed + 1)
  }
  return at === -1 ? text.length : at
}

/** Whether the line has no more than one character behind its two dashes, line feed included. */
function isShort(lines: string, at: number): boolean {
  return lines.charCodeAt(at + 2) === newline || lines.length - at <= 3
}

/** What JavaScript takes for white space, among bytes, but line feeds: lines end there. */
function isBlank(code: number): boolean {
  return code === 32 || code === 160 || (code >= 9 && code <= 13 && code !== newline)
}
