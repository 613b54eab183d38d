import { isBase64, looksLikeJson, looksLikeXml, withoutByteOrderMark } from './body-content.ts'
import { parseJsonBody } from './json.ts'
import { extractJsonFiles } from './json-files.ts'
import {
  type BodyReader,
  faultsOfMediaType,
  type MediaType,
  parseMediaType,
  readerFor,
} from './media-type.ts'
import { parseMimeParts } from './multipart/mime-parts.ts'
import { boundaryFaults, parseMultipartBody } from './multipart/multipart.ts'
import type { Argument, ParsedBody } from './parsed-body.ts'
import { parseUndeclaredBody, printableRuns, type UndeclaredLimits } from './undeclared-body.ts'
import { parseUrlEncodedBody } from './urlencoded.ts'
import { parseXmlBody } from './xml.ts'

/** What is known of a body besides its bytes. */
export interface EveryBodyOptions {
  /** All that the request has. */
  readonly contentTypes: readonly string[]
  /** What rules have chosen (`ctl:requestBodyProcessor`), or the content type. */
  readonly processor: string
  readonly limits: UndeclaredLimits & { readonly filesMax: number }
}

/** Parts inside of parts inside of parts. */
const nestingMax = 3

/** The body processor of ModSecurity that a body goes by; empty where none of them is for its type. */
export function processorForEveryType(contentType: string | undefined): string {
  const reader = contentType === undefined ? undefined : readerFor(parseMediaType(contentType))
  return reader === undefined || reader === 'json-lines' || reader === 'mime-parts' ? '' : reader
}

/**
 * Reads a body of any content type, or without one, so that rules on arguments see what is in it. What its type claims and it is not is
 * an error; what other readers could understand otherwise is a fault.
 *
 * @param bytes a byte string
 */
export function parseEveryBody(
  bytes: string,
  { contentTypes, processor, limits }: EveryBodyOptions,
): ParsedBody {
  const contentType = contentTypes[0] ?? ''
  const type = parseMediaType(contentType)
  const faults = faultsOfMediaType(type)
  if (contentTypes.length > 1) faults.unshift('It has more than one content type.')
  const declared = readerFor(type)
  const reader = isReader(processor) ? processor : declared
  const body = parseWith(reader, bytes, { type, contentType, limits, depth: 0 })
  return faults.length === 0 ? body : { ...body, faults: [...faults, ...(body.faults ?? [])] }
}

interface Content {
  readonly type: MediaType
  readonly contentType: string
  readonly limits: EveryBodyOptions['limits']
  /** How many multipart bodies it is in. */
  readonly depth: number
}

function parseWith(reader: BodyReader | undefined, bytes: string, content: Content): ParsedBody {
  const { limits } = content
  switch (reader) {
    case 'URLENCODED':
      return parseForm(bytes, limits)
    case 'MULTIPART':
      return parseFormOfParts(bytes, content)
    case 'JSON':
      return parseDeclaredJson(bytes, limits)
    case 'json-lines':
      return parseJsonLines(bytes, limits)
    case 'XML':
      return isBlank(bytes) ? {} : parseXmlBody(bytes, { depthMax: limits.depthMax })
    case 'mime-parts':
      return parseMimeParts(bytes, content.contentType, {
        textMax: limits.textMax,
        parsePart: (part, partType, isFile) => parsePart(part, partType, { ...content, isFile }),
      })
    default:
      return parseWithoutReader(bytes, content)
  }
}

function parseWithoutReader(bytes: string, { type, limits }: Content): ParsedBody {
  if (type.type === 'application/grpc-web-text') {
    const message = Buffer.from(bytes, 'base64').toString('latin1')
    return { arguments: printableRuns(message, limits.textMax), unreadBytes: bytes.length }
  }
  return parseUndeclaredBody(bytes, limits)
}

/** A client that says nothing of what it sends is said to send a form: where that looks like JSON, XML or Base64, it is read as both. */
function parseForm(bytes: string, limits: UndeclaredLimits): ParsedBody {
  const form = parseUrlEncodedBody(bytes, limits.argumentSeparator)
  if (!looksLikeJson(bytes) && !looksLikeXml(bytes) && !isBase64(bytes)) return form
  const { xml, faults = [], arguments: more = [] } = parseUndeclaredBody(bytes, limits)
  return { ...form, arguments: [...(form.arguments ?? []), ...more], faults, ...(xml ? { xml } : {}) }
}

/** Some clients say JSON of a form, or of a JSON text in each line. Neither is JSON to anybody, so it is read as what it is. */
function parseDeclaredJson(bytes: string, limits: EveryBodyOptions['limits']): ParsedBody {
  return bytes.length > limits.textMax ? parseJsonWithFiles(bytes, limits) : parseJsonText(bytes, limits)
}

/** Of a document that is too long even without the files in it, the beginning is read. */
function parseJsonWithFiles(bytes: string, limits: EveryBodyOptions['limits']): ParsedBody {
  const document = extractJsonFiles(bytes, limits)
  if (document === undefined)
    return { ...parseJsonText(bytes.slice(0, limits.textMax), limits), isHidden: true }
  const { text, files } = document
  const filesBytes = files.reduce((size, { content }) => size + content.length, 0)
  return {
    ...parseJsonText(text, limits),
    files,
    isHidden: true,
    unreadBytes: bytes.length - text.length - filesBytes,
  }
}

function parseJsonText(bytes: string, limits: UndeclaredLimits): ParsedBody {
  const text = withoutByteOrderMark(bytes)
  if (isBlank(text)) return {}
  const body = parseJsonBody(text, limits)
  if (body.error === undefined) return body
  if (/^[A-Za-z_][\w.[\]%-]{0,200}=/.test(text)) return parseForm(text, limits)
  const lines = /^\s*[[{][^\n]*[\]}]\s*\n\s*[[{]/.test(text) ? parseJsonLines(text, limits) : body
  return lines.error === undefined ? lines : body
}

/** One JSON text in each line; a record separator may stand before it (RFC 7464). */
function parseJsonLines(bytes: string, limits: UndeclaredLimits): ParsedBody {
  const argumentList: Argument[] = []
  for (const line of withoutByteOrderMark(bytes).replaceAll('\x1e', '\n').split('\n')) {
    if (isBlank(line)) continue
    const { arguments: more = [], error } = parseJsonBody(line, {
      ...limits,
      argumentsMax: limits.argumentsMax - argumentList.length,
    })
    argumentList.push(...more)
    if (error !== undefined) return { arguments: argumentList, error }
  }
  return { arguments: argumentList }
}

function parseFormOfParts(bytes: string, content: Content): ParsedBody {
  const { limits, contentType } = content
  const faults = boundaryFaults(contentType)
  const body = parseMultipartBody(bytes, contentType, {
    filesMax: limits.filesMax,
    withoutFilesMax: limits.textMax,
    parsePart: (part, partType, isFile) => {
      const type = parseMediaType(partType)
      // A text field is an argument as it is; what says that it is more is read as that, too.
      if (readerFor(type) === undefined) return isFile ? {} : { faults: faultsOfMediaType(type) }
      return isFile && part.length > limits.textMax ? {} : parsePart(part, partType, { ...content, isFile })
    },
  })
  return faults.length === 0 ? body : { ...body, faults: [...faults, ...(body.faults ?? [])] }
}

/** A part of its own type. A file may be anything: applications keep files, and take few of them apart. */
function parsePart(
  part: string,
  contentType: string,
  { limits, depth, isFile }: Content & { readonly isFile: boolean },
): ParsedBody {
  const type = parseMediaType(contentType)
  const faults = faultsOfMediaType(type)
  const reader = readerFor(type)
  const isOfParts = reader === 'MULTIPART' || reader === 'mime-parts'
  if (isOfParts && depth >= nestingMax) return { faults: ['Its parts are nested more deeply than allowed.'] }
  const body = parseWith(isOfParts ? 'mime-parts' : reader, part, {
    type,
    contentType,
    limits,
    depth: depth + 1,
  })
  const { faults: more = [], error } = body
  if (isFile) return { ...body, faults: [] }
  return { ...body, faults: [...faults, ...more, ...(error === undefined ? [] : [`${error} of a part.`])] }
}

function isReader(processor: string): processor is 'URLENCODED' | 'MULTIPART' | 'JSON' | 'XML' {
  return ['URLENCODED', 'MULTIPART', 'JSON', 'XML'].includes(processor)
}

function isBlank(text: string): boolean {
  return !/[^ \t\r\n]/.test(text)
}
