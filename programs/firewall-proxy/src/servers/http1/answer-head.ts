import { errors } from 'undici'
import type { ServerAnswer } from '../server-connections.ts'

/** How one knows where the body of an answer ends (RFC 9112, section 6.3): after so many bytes, or as named. */
export type BodyLength = number | 'chunked' | 'until-close'

/** The head of an answer, with what it says of the connection. */
export interface AnswerHead extends ServerAnswer {
  /** As its headers say; an answer that never has a body has none all the same. */
  readonly length: BodyLength
  /** Whether the connection can be used again. */
  readonly persists: boolean
  /** How long the server keeps an unused connection, as `Keep-Alive` tells; undefined where it does not. */
  readonly keepAliveMs: number | undefined
}

const statusLine = /HTTP\/1\.([01]) ([1-9]\d\d)(?: ([\t\x20-\x7e\x80-\xff]*))?\r\n/y

const fieldLine = /([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[\t ]*([\t\x20-\x7e\x80-\xff]*)\r\n/y

const tab = 0x09
const space = 0x20

/**
 * Reads the head of an answer as RFC 9112 writes it, and refuses whatever could be read in two ways: folded lines, bare CR or LF,
 * more than one length, a length beside a transfer coding, codings other than `chunked`.
 *
 * @param text the lines as a byte string, each with its CRLF; without the empty one
 * @throws errors.HTTPParserError
 */
export function readAnswerHead(text: string): AnswerHead {
  statusLine.lastIndex = 0
  const line = statusLine.exec(text)
  if (line === null) throw malformedAnswer('Its first line is not that of an answer.')
  const isOld = line[1] === '0'
  const headers = readFields(text, statusLine.lastIndex)
  let length: string | undefined
  let coding: string | undefined
  let connection = ''
  let keepAlive: string | undefined
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? ''
    const value = headers[index + 1] ?? ''
    // Most names are told apart by their length alone.
    if (name.length === 14 && name.toLowerCase() === 'content-length') {
      if (length !== undefined) throw malformedAnswer('It has more than one Content-Length.')
      length = value
    } else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      if (coding !== undefined) throw malformedAnswer('It has more than one Transfer-Encoding.')
      coding = value
    } else if (name.length === 10) {
      const lower = name.toLowerCase()
      if (lower === 'connection') connection += `${value.toLowerCase()},`
      else if (lower === 'keep-alive') keepAlive = value
    }
  }
  return {
    status: Number(line[2]),
    message: line[3] ?? '',
    headers,
    length: lengthOf(length, coding, isOld),
    persists: connection === '' ? !isOld : persists(connection, isOld),
    keepAliveMs: keepAlive === undefined ? undefined : timeoutOf(keepAlive),
  }
}

/**
 * Header or trailer lines.
 *
 * @param text each line with its CRLF
 * @param from where the first one begins
 * @returns names and values in turn
 * @throws errors.HTTPParserError
 */
export function readFields(text: string, from: number): string[] {
  const fields: string[] = []
  fieldLine.lastIndex = from
  while (fieldLine.lastIndex < text.length) {
    const match = fieldLine.exec(text)
    if (match === null) throw malformedAnswer('A header is malformed.')
    fields.push(match[1] ?? '', withoutTrailingBlanks(match[2] ?? ''))
  }
  return fields
}

function withoutTrailingBlanks(value: string): string {
  let end = value.length
  while (end > 0 && (value.charCodeAt(end - 1) === space || value.charCodeAt(end - 1) === tab)) end--
  return end === value.length ? value : value.slice(0, end)
}

function lengthOf(length: string | undefined, coding: string | undefined, isOld: boolean): BodyLength {
  if (coding !== undefined) {
    if (length !== undefined) throw malformedAnswer('It has both Content-Length and Transfer-Encoding.')
    if (isOld) throw malformedAnswer('HTTP/1.0 has no Transfer-Encoding.')
    if (coding.toLowerCase() !== 'chunked') throw malformedAnswer('Its Transfer-Encoding is not chunked.')
    return 'chunked'
  }
  if (length === undefined) return 'until-close'
  const bytes = Number(length)
  if (!/^\d+$/.test(length) || !Number.isSafeInteger(bytes))
    throw malformedAnswer('Its Content-Length is no number.')
  return bytes
}

function persists(connection: string, isOld: boolean): boolean {
  const options = connection.split(',').map((option) => option.trim())
  if (options.includes('close')) return false
  return !isOld || options.includes('keep-alive')
}

function timeoutOf(keepAlive: string): number | undefined {
  const [, seconds] = /(?:^|[\s,;])timeout=(\d{1,9})/i.exec(keepAlive) ?? []
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

/** A failure that says what is wrong with an answer. */
export function malformedAnswer(reason: string): Error {
  return new errors.HTTPParserError(`The answer is malformed. ${reason}`)
}
