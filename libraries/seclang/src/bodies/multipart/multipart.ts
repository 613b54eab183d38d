import { isReadableCharset, parseMediaType } from '../media-type.ts'
import type { Argument, ParsedBody, PartHeader, UploadedFile } from '../parsed-body.ts'
import { wholeBodyName } from '../undeclared-body.ts'
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
  /**
   * Reads a part by its content type, and has everything else read that is not so in ModSecurity: what stands before and behind the
   * parts is an argument, and `filename*` is understood where it says the same as `filename`.
   */
  readonly parsePart?: (content: string, contentType: string, isFile: boolean) => ParsedBody
}

/** Part headers longer than this are an error; ModSecurity's buffer. */
const headerLineLengthMax = 4096

/** RFC 2046, section 5.1.1. */
const boundaryLengthMax = 70

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
  const around: string[] = []
  try {
    readParts(new MultipartText(text, boundaryOf(contentType, flags)), { flags, parts, around }, limits)
  } catch (cause) {
    if (!(cause instanceof MultipartError)) throw cause
    flags.error = true
    error = `Multipart parsing error: Multipart: ${cause.message}`
  }
  return {
    ...contentsOf({ flags, parts, around }, limits),
    multipart: flags,
    ...(error === undefined ? {} : { error }),
  }
}

interface Contents {
  readonly flags: MultipartFlags
  readonly parts: Part[]
  /** What stands before the first boundary and behind the last one. */
  readonly around: string[]
}

/** Fills `parts`; those that were complete before an error stay. */
function readParts(
  body: MultipartText,
  { flags, parts, around }: Contents,
  { withoutFilesMax = Number.POSITIVE_INFINITY, parsePart }: MultipartLimits,
): void {
  const { text } = body
  let at = body.nextBoundary(0)
  let current: Part | undefined
  let ofFiles = 0
  passPreamble(body, at, flags)
  around.push(text.slice(0, at))
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
      around.push(text.slice(end))
      if (text.includes(body.marker, end)) flags.boundaryInData = true
      return
    }
    current = new Part(flags, parsePart !== undefined)
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
  if (hasMarker(body, from, end)) flags.boundaryInData = true
  part.content = withoutLineEnd(body.text, start, end)
  return end
}

/** Whether the boundary stands inside of data, where a reader that takes another line end would see one. */
function hasMarker({ text, marker }: MultipartText, from: number, end: number): boolean {
  const at = text.indexOf(marker, from)
  return at !== -1 && at < end
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

function contentsOf({ parts, flags, around }: Contents, limits: MultipartLimits): ParsedBody {
  const argumentList: Argument[] = []
  const files: UploadedFile[] = []
  const partHeaders: PartHeader[] = []
  const read: ParsedBody[] = []
  for (const { disposition, content, headerLines } of parts) {
    if (disposition === undefined) continue
    const { name, fileName } = disposition
    for (const line of headerLines) partHeaders.push({ field: name, line })
    // Without a file's name some applications take it for a field, as those of Go and ASP.NET Core do, and others for a file.
    if (fileName === undefined || (fileName === '' && content !== ''))
      argumentList.push({ name, value: content })
    if (fileName !== undefined) files.push({ field: name, fileName, content, headerLines })
    if (limits.parsePart)
      read.push(readPart(name, { content, headerLines, isFile: !!fileName }, limits.parsePart))
  }
  if (files.length > limits.filesMax) flags.fileLimitExceeded = true
  if (limits.parsePart === undefined) return { arguments: argumentList, files, partHeaders }
  for (const value of around) if (value.trim() !== '') argumentList.push({ name: wholeBodyName, value })
  const faults = read.flatMap((one) => one.faults ?? [])
  return {
    arguments: [...argumentList, ...read.flatMap((one) => one.arguments ?? [])],
    files,
    partHeaders,
    faults: flags.boundaryInData ? [...faults, 'Its boundary stands where none can be.'] : faults,
  }
}

/** What a part is besides a field or a file, by its content type. */
function readPart(
  field: string,
  {
    content,
    headerLines,
    isFile,
  }: { readonly content: string; readonly headerLines: readonly string[]; readonly isFile: boolean },
  parsePart: NonNullable<MultipartLimits['parsePart']>,
): ParsedBody {
  const faults: string[] = []
  const encoding = partHeader(headerLines, 'content-transfer-encoding')
  if (encoding !== undefined && !/^(?:7bit|8bit|binary)$/i.test(encoding)) {
    faults.push('A part has a transfer encoding, which forms do not have.')
  }
  if (field === '_charset_' && !isReadableCharset(content)) {
    faults.push('It has a charset in which ASCII is not written as ASCII.')
  }
  const type = partHeader(headerLines, 'content-type')
  if (type === undefined) return { faults }
  const { arguments: found = [], xml, faults: more = [] } = parsePart(content, type, isFile)
  const ofXml = xml === undefined ? [] : [{ name: '', value: xml.text }]
  return {
    arguments: [...found, ...ofXml].map(({ name, value }) => ({ name: `${field}.${name}`, value })),
    faults: [...faults, ...more],
  }
}

function partHeader(headerLines: readonly string[], lowerName: string): string | undefined {
  const line = headerLines.find((one) => one.toLowerCase().startsWith(`${lowerName}:`))
  return line?.slice(lowerName.length + 1).trim()
}

/** Why two readers could take the boundary of a form for two different ones; a sentence each. */
export function boundaryFaults(contentType: string): string[] {
  const boundary = parseMediaType(contentType).parameters.find(({ name }) => name === 'boundary')?.value ?? ''
  return boundary.length > boundaryLengthMax ? ['Its boundary is longer than boundaries may be.'] : []
}
