import { CertificateUnreadable } from './certificate-unreadable.ts'

/*
 * multipart/form-data (RFC 7578, RFC 2046) as scripts write it. A delimiter is a line of "--" and the boundary,
 * with "--" at its end after the last part:
 *
 *   words that mean nothing
 *   --boundary
 *   Content-Disposition: form-data; name="certificate"; filename="www.pem"
 *   Content-Type: text/plain
 *
 *   the content, to which the line end before the next delimiter does not belong
 *   --boundary--
 *
 * Beyond the letter of it are taken: line feeds alone as line ends, a last delimiter without "--" when nothing but
 * white space follows, names without quotes, a boundary in quotes where none are needed, and blanks in the empty line.
 */

/** One field or file of a form, in the order of the body; names may come again. */
export interface MultipartPart {
  readonly name: string
  /** Given for files, and not more than a hint. */
  readonly filename?: string
  readonly content: Buffer
}

/** How much is read. */
export interface MultipartLimits {
  readonly partsMax: number
  /** The content of one part. */
  readonly partSizeBytesMax: number
  /** The lines in front of one part's content. */
  readonly headerSizeBytesMax: number
}

/** Room for the longest chain of certificates and a dozen of fields. */
export const multipartLimits: MultipartLimits = {
  partsMax: 64,
  partSizeBytesMax: 1_048_576,
  headerSizeBytesMax: 8_192,
}

interface Delimiter {
  /** Where its line begins. */
  readonly start: number
  /** Where the line after it begins. */
  readonly end: number
  readonly isFinal: boolean
}

const boundaryLengthMax = 200
const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * Reads the parts of a form.
 *
 * @param contentType the request's header, with the boundary
 * @throws CertificateUnreadable for what is no such form, for one that is cut off, and for one beyond the limits
 */
export function readMultipart(
  body: Buffer,
  contentType: string,
  limits: MultipartLimits = multipartLimits,
): MultipartPart[] {
  const delimiters = delimitersOf(body, `--${boundaryOf(contentType)}`, limits)
  return delimiters.slice(1).map((next, index) => {
    const start = delimiters[index]?.end ?? 0
    return partOf(body.subarray(start, contentEnd(body, start, next.start)), limits)
  })
}

function boundaryOf(contentType: string): string {
  if (!/^\s*multipart\/form-data\s*;/i.test(contentType)) {
    throw new CertificateUnreadable('The Content-Type is not multipart/form-data with a boundary.')
  }
  const [, quoted, bare] = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType) ?? []
  const boundary = quoted ?? bare
  if (boundary === undefined || boundary.length > boundaryLengthMax) {
    throw new CertificateUnreadable(
      `The Content-Type holds no boundary of 1 to ${boundaryLengthMax} characters.`,
    )
  }
  return boundary
}

/** Those up to the final one, which is there. */
function delimitersOf(body: Buffer, mark: string, { partsMax }: MultipartLimits): Delimiter[] {
  const delimiters: Delimiter[] = []
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + 1)) {
    const delimiter = delimiterAt(body, at, mark.length)
    if (!delimiter) continue
    delimiters.push(delimiter)
    if (delimiter.isFinal) return delimiters
    if (delimiters.length > partsMax)
      throw new CertificateUnreadable(`The form has more than ${partsMax} parts.`)
  }
  throw new CertificateUnreadable(
    delimiters.length === 0
      ? 'The form has no parts: its boundary is not in the body.'
      : 'The form is cut off: it does not end with its boundary.',
  )
}

/** Undefined when the mark stands inside a line, or the line goes on with other words. */
function delimiterAt(body: Buffer, start: number, markLength: number): Delimiter | undefined {
  if (start > 0 && body[start - 1] !== lineFeed) return undefined
  const index = body.indexOf(lineFeed, start + markLength)
  const end = index < 0 ? body.length : index + 1
  const rest = body
    .toString('latin1', start + markLength, Math.min(end, start + markLength + boundaryLengthMax))
    .trim()
  if (rest !== '' && rest !== '--') return undefined
  return { start, end, isFinal: rest === '--' || isBlank(body.subarray(end)) }
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === lineFeed || byte === carriageReturn || byte === 0x20 || byte === 0x09)
}

/** Without the line end before the next delimiter. */
function contentEnd(body: Buffer, start: number, nextStart: number): number {
  const end = nextStart - 1
  return Math.max(start, body[end - 1] === carriageReturn ? end - 1 : end)
}

function partOf(part: Buffer, { headerSizeBytesMax, partSizeBytesMax }: MultipartLimits): MultipartPart {
  const { headers, contentOffset } = splitAtBlankLine(part, headerSizeBytesMax)
  const content = part.subarray(contentOffset)
  if (content.length > partSizeBytesMax) {
    throw new CertificateUnreadable(`A part of the form is larger than ${partSizeBytesMax} bytes.`)
  }
  return { ...namesOf(headers), content }
}

/** The headers of a part, and its content. Of an empty part, the second half of the blank line counts as part of the next delimiter. */
function splitAtBlankLine(
  part: Buffer,
  headerSizeBytesMax: number,
): { headers: string; contentOffset: number } {
  const start = part.toString('latin1', 0, headerSizeBytesMax)
  const blankLine =
    /\r?\n[ \t]*\r?\n/.exec(start) ?? (start.length === part.length ? /\r?\n$/.exec(start) : null)
  if (!blankLine) {
    throw new CertificateUnreadable(
      'A part of the form has no empty line between its headers and its content.',
    )
  }
  return {
    headers: part.toString('utf8', 0, blankLine.index),
    contentOffset: blankLine.index + blankLine[0].length,
  }
}

/** From the Content-Disposition, which may go on in lines that begin with a blank. */
function namesOf(headers: string): { name: string; filename?: string } {
  const [, disposition = ''] =
    /^content-disposition\s*:(.*)$/im.exec(headers.replace(/\r?\n[ \t]+/g, ' ')) ?? []
  const name = parameter(disposition, 'name')
  const filename = parameter(disposition, 'filename')
  if (!name) throw new CertificateUnreadable('A part of the form has no Content-Disposition with a name.')
  return filename === undefined ? { name } : { name, filename }
}

/** Quotes inside a quoted value are written \" or %22; other backslashes belong to Windows. */
function parameter(disposition: string, name: string): string | undefined {
  for (const [, key, quoted, bare] of disposition.matchAll(
    /;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\"|\\)*)"|([^\s;"]*))/g,
  )) {
    if (key?.toLowerCase() === name) return quoted?.replace(/\\"|%22/g, '"') ?? bare
  }
  return undefined
}
