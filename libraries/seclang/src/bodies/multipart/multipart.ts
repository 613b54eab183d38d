import type { Argument, ParsedBody, PartHeader, UploadedFile } from '../parsed-body.ts'
import { boundaryOf } from './boundary.ts'
import { MultipartError } from './multipart-error.ts'
import { type MultipartFlags, noMultipartFlags } from './multipart-flags.ts'
import { Part } from './part.ts'

/** Limits of the body processor MULTIPART. */
export interface MultipartLimits {
  readonly filesMax: number
}

/** Part headers longer than this are an error; ModSecurity's buffer. */
const headerLineLengthMax = 4096

/**
 * The body processor MULTIPART (RFC 7578), line by line: what stands before the first boundary and after the last is
 * ignored and flagged, as is everything that another parser may read in another way.
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
    readParts(text, boundaryOf(contentType, flags), flags, parts)
  } catch (cause) {
    if (!(cause instanceof MultipartError)) throw cause
    flags.error = true
    error = `Multipart parsing error: Multipart: ${cause.message}`
  }
  return { ...contentsOf(parts, flags, limits), multipart: flags, ...(error === undefined ? {} : { error }) }
}

/** Fills `parts`; those that were complete before an error stay. */
function readParts(text: string, boundary: string, flags: MultipartFlags, parts: Part[]): void {
  const marker = `--${boundary}`
  let current: Part | undefined
  let boundaries = 0
  let at = 0
  while (at < text.length) {
    const newline = text.indexOf('\n', at)
    const end = newline === -1 ? text.length : newline + 1
    const line = text.slice(at, end)
    at = end
    if (line.startsWith(marker) && canEnd(current)) {
      const isFinal = readBoundaryLine(line.slice(marker.length), newline === -1, boundaries > 0, flags)
      boundaries++
      if (current !== undefined) parts.push(current)
      if (isFinal) {
        if (at < text.length) flags.dataAfter = true
        return
      }
      current = new Part(flags)
      continue
    }
    if (line.startsWith(marker)) flags.invalidPart = true
    else lookForBoundary(line, boundary, flags)
    if (current === undefined) flags.dataBefore = true
    else addLine(current, line)
  }
  if (text !== '')
    throw new MultipartError(boundaries > 0 ? 'Final boundary missing.' : 'No boundaries found in payload.')
}

/** A boundary belongs to the line end before it; right after the headers of a part there is none to be had. */
function canEnd(part: Part | undefined): boolean {
  return part === undefined || part.hasData
}

function addLine(part: Part, line: string): void {
  if (part.disposition === undefined && (line.length > headerLineLengthMax || !line.endsWith('\n'))) {
    throw new MultipartError(
      line.endsWith('\n')
        ? `Part header line over ${headerLineLengthMax} bytes long`
        : 'Final boundary missing.',
    )
  }
  part.addLine(line)
}

/** Whether the boundary is the last one. Only that may stand at the very end of the body, without a line end. */
function readBoundaryLine(
  rest: string,
  isAtEnd: boolean,
  isLaterOne: boolean,
  flags: MultipartFlags,
): boolean {
  const isFinal = rest.startsWith('--')
  const lineEnd = isFinal ? rest.slice(2) : rest
  if (isFinal && isAtEnd && isLaterOne && lineEnd === '') return true
  if (lineEnd === '\r\n') flags.crlfLine = true
  else if (lineEnd === '\n') flags.lfLine = true
  else throw new MultipartError(isAtEnd ? 'Final boundary missing.' : 'Invalid boundary.')
  return isFinal
}

/** A line that looks as if it were a boundary, to us or to a careless parser. */
function lookForBoundary(line: string, boundary: string, flags: MultipartFlags): void {
  if (!line.startsWith('--') || line.length <= 3) {
    if (line.includes(`--${boundary}`)) flags.unmatchedBoundary = true
    return
  }
  if (flags.boundaryQuoted && line.startsWith(`--"${boundary}`)) {
    throw new MultipartError('Invalid boundary (quotes).')
  }
  const afterBlanks = line.slice(2).trimStart()
  if (afterBlanks.length < line.length - 2 && afterBlanks.startsWith(boundary)) {
    throw new MultipartError('Invalid boundary (whitespace).')
  }
  flags.unmatchedBoundary = true
}

function contentsOf(parts: readonly Part[], flags: MultipartFlags, limits: MultipartLimits): ParsedBody {
  const found: Argument[] = []
  const files: UploadedFile[] = []
  const partHeaders: PartHeader[] = []
  for (const { disposition, content, headerLines } of parts) {
    if (disposition === undefined) continue
    const { name, fileName } = disposition
    partHeaders.push(...headerLines.map((line) => ({ field: name, line })))
    if (fileName === undefined) found.push({ name, value: content })
    else files.push({ field: name, fileName, content })
  }
  if (files.length > limits.filesMax) flags.fileLimitExceeded = true
  return { arguments: found, files, partHeaders }
}
