import type { Argument, ParsedBody, PartHeader, UploadedFile } from '../parsed-body.ts'
import { boundaryOf } from './boundary.ts'
import { MultipartError } from './multipart-error.ts'
import { type MultipartFlags, noMultipartFlags } from './multipart-flags.ts'
import { MultipartText } from './multipart-text.ts'
import { Part } from './part.ts'

/** Limits of the body processor MULTIPART. */
export interface MultipartLimits {
  readonly filesMax: number
  /** Bytes of everything but the contents of files; a body that has more is read no further than that. Any number by default. */
  readonly withoutFilesMax?: number
}

/** Part headers longer than this are an error; ModSecurity's buffer. */
const headerLineLengthMax = 4096

/**
 * The body processor MULTIPART (RFC 7578): what stands before the first boundary and after the last is ignored and flagged, as is
 * everything that another parser may read in another way. Headers of parts are read line by line; data, which may be megabytes of
 * short lines, is searched for boundaries as a whole.
 */
export function parseMultipartBody(
  text: string,
  contentType: string | undefined,
  limits: MultipartLimits,
): ParsedBody {
  const flags = noMultipartFlags()
  const parts: Part[] = []
  let error: string | undefined
  try {
    readParts(new MultipartText(text, boundaryOf(contentType, flags)), flags, parts, limits)
  } catch (cause) {
    if (!(cause instanceof MultipartError)) throw cause
    flags.error = true
    error = `Multipart parsing error: Multipart: ${cause.message}`
  }
  return { ...contentsOf(parts, flags, limits), multipart: flags, ...(error === undefined ? {} : { error }) }
}

/** Fills `parts`; those that were complete before an error stay. */
function readParts(
  body: MultipartText,
  flags: MultipartFlags,
  parts: Part[],
  { withoutFilesMax = Number.POSITIVE_INFINITY }: MultipartLimits,
): void {
  const { text } = body
  let at = body.nextBoundary(0)
  let current: Part | undefined
  let ofFiles = 0
  passPreamble(body, at, flags)
  while (at < text.length) {
    const end = body.endOfLine(at)
    const isFinal = readBoundaryLine(
      body.line(at, end).slice(body.marker.length),
      current !== undefined,
      flags,
    )
    if (current !== undefined) parts.push(current)
    if (isFinal) {
      if (end < text.length) flags.dataAfter = true
      return
    }
    current = new Part(flags)
    const dataAt = readHeaders(body, current, end, { flags, endMax: withoutFilesMax + ofFiles })
    if (dataAt === undefined) return
    at = readData(body, current, dataAt, flags)
    if (current.disposition?.fileName) ofFiles += current.content.length
    if (at - ofFiles > withoutFilesMax) {
      parts.push(current)
      return
    }
  }
  if (text !== '')
    throw new MultipartError(
      current === undefined ? 'No boundaries found in payload.' : 'Final boundary missing.',
    )
}

function passPreamble(body: MultipartText, end: number, flags: MultipartFlags): void {
  const { until, error } = body.lookThrough(0, end, flags)
  if (until > 0) flags.dataBefore = true
  if (error) throw error
}

/** @returns where the data begins; undefined where the headers go beyond `endMax` */
function readHeaders(
  body: MultipartText,
  part: Part,
  start: number,
  { flags, endMax }: { readonly flags: MultipartFlags; readonly endMax: number },
): number | undefined {
  const { text } = body
  let at = start
  while (part.disposition === undefined) {
    if (at >= text.length) throw new MultipartError('Final boundary missing.')
    if (at > endMax) return undefined
    const end = body.endOfLine(at)
    if (text.startsWith(body.marker, at)) flags.invalidPart = true
    else {
      const { error } = body.lookThrough(at, end, flags)
      if (error) throw error
    }
    const line = body.line(at, end)
    if (!line.endsWith('\n')) throw new MultipartError('Final boundary missing.')
    if (line.length > headerLineLengthMax) {
      throw new MultipartError(`Part header line over ${headerLineLengthMax} bytes long`)
    }
    part.addHeaderLine(line)
    at = end
  }
  return at
}

/**
 * A boundary belongs to the line end before it; right after the headers of a part there is none to be had.
 *
 * @returns where the boundary begins; the end of the text where there is none
 */
function readData(body: MultipartText, part: Part, start: number, flags: MultipartFlags): number {
  const isMarked = body.text.startsWith(body.marker, start)
  if (isMarked) flags.invalidPart = true
  const from = isMarked ? body.endOfLine(start) : start
  const end = body.nextBoundary(from)
  const { error } = body.lookThrough(from, end, flags)
  if (error) throw error
  part.content = withoutLineEnd(body.text, start, end)
  return end
}

/** The data without the line end that belongs to the boundary. */
function withoutLineEnd(text: string, start: number, end: number): string {
  if (end === start || text[end - 1] !== '\n') return text.slice(start, end)
  return text.slice(start, end - 1 > start && text[end - 2] === '\r' ? end - 2 : end - 1)
}

/**
 * Whether the boundary is the last one. Only that may stand at the very end of the body, without a line end.
 *
 * @param rest what follows the boundary in its line
 */
function readBoundaryLine(rest: string, isLaterOne: boolean, flags: MultipartFlags): boolean {
  const isFinal = rest.startsWith('--')
  const lineEnd = isFinal ? rest.slice(2) : rest
  if (isFinal && isLaterOne && lineEnd === '') return true
  if (lineEnd === '\r\n') flags.crlfLine = true
  else if (lineEnd === '\n') flags.lfLine = true
  else throw new MultipartError(rest.endsWith('\n') ? 'Invalid boundary.' : 'Final boundary missing.')
  return isFinal
}

function contentsOf(parts: readonly Part[], flags: MultipartFlags, limits: MultipartLimits): ParsedBody {
  const found: Argument[] = []
  const files: UploadedFile[] = []
  const partHeaders: PartHeader[] = []
  for (const { disposition, content, headerLines } of parts) {
    if (disposition === undefined) continue
    const { name, fileName } = disposition
    for (const line of headerLines) partHeaders.push({ field: name, line })
    // Without a file's name some applications take it for a field, as those of Go and ASP.NET Core do, and others for a file.
    if (fileName === undefined || (fileName === '' && content !== '')) found.push({ name, value: content })
    if (fileName !== undefined) files.push({ field: name, fileName, content, headerLines })
  }
  if (files.length > limits.filesMax) flags.fileLimitExceeded = true
  return { arguments: found, files, partHeaders }
}
