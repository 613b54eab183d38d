import {
  declaresItselfXml,
  isForm,
  isKnownFile,
  isText,
  isXmlInEbcdic,
  looksLikeJson,
  looksLikeXml,
  narrowedText,
  withoutByteOrderMark,
} from './body-content.ts'
import { type JsonLimits, parseJsonBody } from './json.ts'
import type { Argument, ParsedBody } from './parsed-body.ts'
import { serializedInBase64 } from './serialized-objects.ts'
import { shortestRun, textRuns } from './text-runs.ts'
import { parseUrlEncodedBody } from './urlencoded.ts'
import { parseXmlBody } from './xml.ts'

/** Limits of a body of which only its look tells what it is. */
export interface UndeclaredLimits extends JsonLimits {
  /** Bytes of text; of more, the beginning is read. */
  readonly textMax: number
  readonly argumentSeparator: string
}

/** What arguments are called that have a whole body for their value, or a piece of it. */
export const wholeBodyName = 'REQUEST_BODY'

/** Pieces that are arguments of their own; what comes behind them is one together, so that nothing hides behind many. */
const runsMax = 500

/**
 * A body without a content type, or with one that no reader is for: it is read as what it looks like. JSON, XML and forms are taken
 * apart; other text is one argument; of what is no text, each run of printable characters is one. Files that are known by their
 * beginning are left alone. A serialized object is an argument in Base64.
 */
export function parseUndeclaredBody(bytes: string, limits: UndeclaredLimits): ParsedBody {
  if (isXmlInEbcdic(bytes)) return parseXmlBody(bytes)
  const object = serializedInBase64(bytes)
  const objects = object === undefined ? [] : [{ name: wholeBodyName, value: object }]
  if (isKnownFile(bytes)) return { arguments: objects, isHidden: true, unreadBytes: bytes.length }
  const wide = narrowedText(bytes)
  if (wide === undefined && !isText(bytes)) {
    return {
      arguments: [...objects, ...printableRuns(bytes, limits.textMax)],
      isHidden: bytes.length > limits.textMax,
      unreadBytes: bytes.length,
    }
  }
  const text = withoutByteOrderMark(wide ?? bytes).slice(0, limits.textMax)
  if (text.trim() === '') return {}
  if (looksLikeJson(text)) return likeJson(text, limits)
  if (looksLikeXml(text)) return likeXml(text, limits)
  if (isForm(text)) return parseUrlEncodedBody(text, limits.argumentSeparator)
  return { arguments: asOneValue(text) }
}

/**
 * Text as one argument, and once more with its escapes decoded where it has those of JSON and JavaScript. Of a document of JSON in each line,
 * as reports of events are sent, those strings are decoded that have escapes: the whole would be no JSON any more.
 *
 * @param text a byte string
 */
export function asOneValue(text: string): Argument[] {
  if (!text.includes('\\')) return [{ name: wholeBodyName, value: text }]
  const values = [text, ...(stringsOfJsonLines(text) ?? [withoutEscapes(text)])]
  return [...new Set(values)].map((value) => ({ name: wholeBodyName, value }))
}

/** Longer texts are no reports of events. In bytes. */
const jsonLinesMax = 65_536

/** The strings with escapes in a text that has a document of JSON in each line; undefined for other texts, and for too many strings. */
function stringsOfJsonLines(text: string): readonly string[] | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line !== '')
  if (text.length > jsonLinesMax || lines.length < 2 || !lines.every((line) => /^\s*[[{]/.test(line)))
    return undefined
  const strings: string[] = []
  const keep = (bytes: string) => {
    if (strings.length <= runsMax) strings.push(bytes, withoutEscapes(bytes))
  }
  for (const line of lines) {
    try {
      JSON.parse(line)
    } catch {
      return undefined
    }
    for (const [literal] of line.matchAll(/"(?:[^"\\]|\\.)*"/g)) {
      if (!literal.includes('\\')) continue
      const string = String(JSON.parse(Buffer.from(literal, 'latin1').toString('utf8')))
      keep(Buffer.from(string, 'utf8').toString('latin1'))
    }
  }
  return strings.length > runsMax ? undefined : strings
}

/**
 * Pieces of bytes that could be text.
 *
 * @param bytesMax they are no longer together than this
 */
export function printableRuns(bytes: string, bytesMax: number): Argument[] {
  const runs: string[] = []
  let remainingBytes = bytesMax
  for (const run of textRuns(bytes, shortestRun(bytes))) {
    runs.push(run.slice(0, remainingBytes))
    remainingBytes -= run.length
    if (remainingBytes <= 0) break
  }
  const others = runs.splice(runsMax, Infinity)
  if (others.length > 0) runs.push(others.join('\n'))
  return runs.map((value) => ({ name: wholeBodyName, value }))
}

/** What is no JSON is what a tolerant reader may still take for it, with comments or single quotes: text. */
function likeJson(text: string, limits: UndeclaredLimits): ParsedBody {
  const { arguments: values = [], error } = parseJsonBody(text, limits)
  return { arguments: error === undefined ? values : [...values, ...asOneValue(text)] }
}

/** An element that browsers run or fetch something for, as the root of what says of itself that it is no page. */
const rootOfMarkup =
  /^\s*<(?:a|audio|body|embed|form|iframe|img|input|link|meta|object|script|style|svg|video)[\s/>]/i

function likeXml(text: string, limits: UndeclaredLimits): ParsedBody {
  const read = parseXmlBody(text, { depthMax: limits.depthMax })
  if (read.error === undefined) {
    if (!rootOfMarkup.test(text)) return read
    return { ...read, arguments: [...(read.arguments ?? []), ...asOneValue(text)] }
  }
  const { error, ...rest } = read
  return { ...rest, arguments: asOneValue(text), ...(declaresItselfXml(text) ? { error } : {}) }
}

function withoutEscapes(text: string): string {
  return text.replace(/\\(?:u00([0-9a-fA-F]{2})|x([0-9a-fA-F]{2})|(["'/\\]))/g, (_, wide, narrow, itself) =>
    itself === undefined ? String.fromCharCode(Number.parseInt(wide ?? narrow, 16)) : itself,
  )
}
