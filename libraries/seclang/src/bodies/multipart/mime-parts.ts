import { parseMediaType } from '../media-type.ts'
import type { Argument, ParsedBody } from '../parsed-body.ts'
import { asOneValue } from '../undeclared-body.ts'
import { parseUrlEncoded } from '../urlencoded.ts'
import { noMultipartFlags } from './multipart-flags.ts'
import { MultipartText } from './multipart-text.ts'

/** What a body of parts is read with. */
export interface MimePartsOptions {
  /** Bytes that are read of what stands around parts. */
  readonly textMax: number
  readonly parsePart: (content: string, contentType: string, isFile: boolean) => ParsedBody
}

const partsMax = 1000

/** What headers of an HTTP request inside a part say of the message, and never of a value. */
const framingHeader = /^(?:accept|content-|host$|mime-version$|transfer-encoding$)/i

/**
 * The parts of a body of any multipart type but forms (RFC 2046, section 5.1): mixed, related, batches of requests. Each is read by its
 * own content type, decoded where its transfer encoding says so. What stands before the first part and behind the last one is text.
 *
 * @param bytes a byte string
 */
export function parseMimeParts(bytes: string, contentType: string, options: MimePartsOptions): ParsedBody {
  const boundary = parseMediaType(contentType).parameters.find(({ name }) => name === 'boundary')?.value
  if (!boundary || boundary.length > 70) return { error: 'Multipart parsing error: no valid boundary.' }
  const text = new MultipartText(bytes, boundary)
  const argumentList: Argument[] = []
  const faults: string[] = []
  let unreadBytes = 0
  let xmlText = ''
  const addText = (between: string) => {
    if (between.trim() !== '') argumentList.push(...asOneValue(between.slice(0, options.textMax)))
  }
  let at = text.nextBoundary(0)
  addText(bytes.slice(0, at))
  for (let count = 0; ; count++) {
    if (at >= bytes.length) return result('Multipart parsing error: the final boundary is missing.')
    if (count >= partsMax) return result('Multipart parsing error: more parts than allowed.')
    const end = text.endOfLine(at)
    const rest = bytes.slice(at + text.marker.length, end)
    if (rest.startsWith('--')) {
      addText(rest.slice(2) + bytes.slice(end))
      return result()
    }
    if (/[^ \t\r\n]/.test(rest)) return result('Multipart parsing error: an invalid boundary.')
    const next = text.nextBoundary(end)
    addPart(bytes.slice(end, next).replace(/\r?\n$/, ''))
    const { error } = text.lookThrough(end, next, noMultipartFlags())
    if (error) return result(`Multipart parsing error: ${error.message}`)
    at = next
  }

  function addPart(part: string): void {
    const { headers, content, isAmbiguous } = splitMessage(part)
    if (isAmbiguous) faults.push('A part has a header twice.')
    const disposition = headers.get('content-disposition')
    if (disposition?.includes('=')) argumentList.push({ name: 'Content-Disposition', value: disposition })
    const type = headers.get('content-type') ?? ''
    const encoding = headers.get('content-transfer-encoding') ?? ''
    const decoded = decodedContent(content, encoding)
    if (decoded === undefined) {
      faults.push('A part has a transfer encoding that is not known, or is not encoded as it says.')
      return
    }
    // Many applications that take parts over HTTP know no transfer encodings, and read what stands there. What is base64 has no words.
    if (decoded !== content && /^quoted/i.test(encoding)) {
      argumentList.push(...asOneValue(content.slice(0, options.textMax)))
    }
    if (parseMediaType(type).type === 'application/http') addHttpMessage(decoded)
    else addParsed(options.parsePart(decoded, type, /filename/i.test(disposition ?? '')))
  }

  /** A request as it would stand on the wire, of a batch. */
  function addHttpMessage(message: string): void {
    const [requestLine = ''] = message.split(/\r?\n/, 1)
    const target = requestLine.replace(/^[A-Z]+ /i, '').replace(/ HTTP\/[\d.]+$/i, '')
    const [path = '', query = ''] = target.split(/\?(.*)/s)
    argumentList.push({ name: 'request-target', value: path }, ...parseUrlEncoded(query, '&').arguments)
    const { headers, content } = splitMessage(message.slice(requestLine.length).replace(/^\r?\n/, ''))
    for (const [name, value] of headers) if (!framingHeader.test(name)) argumentList.push({ name, value })
    if (content !== '') addParsed(options.parsePart(content, headers.get('content-type') ?? '', false))
  }

  function addParsed(parsed: ParsedBody): void {
    argumentList.push(...(parsed.arguments ?? []))
    faults.push(...(parsed.faults ?? []))
    if (parsed.xml) xmlText += parsed.xml.text
    unreadBytes += parsed.unreadBytes ?? 0
  }

  function result(error?: string): ParsedBody {
    return {
      arguments: argumentList,
      faults,
      isHidden: true,
      unreadBytes,
      ...(xmlText === '' ? {} : { xml: { text: xmlText, attributes: [] } }),
      ...(error === undefined ? {} : { error }),
    }
  }
}

interface Message {
  /** By names in lower case, folded lines joined. */
  readonly headers: ReadonlyMap<string, string>
  /** Whether what its content is stands there twice. */
  readonly isAmbiguous: boolean
  readonly content: string
}

function splitMessage(message: string): Message {
  const blank = /^\r?\n|\r?\n\r?\n/.exec(message)
  const head = blank === null ? message : message.slice(0, blank.index)
  const lines = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  const headers = new Map<string, string>()
  let isAmbiguous = false
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).trim().toLowerCase()
    if (name.startsWith('content-') && headers.has(name)) isAmbiguous = true
    if (colon > 0) headers.set(name, line.slice(colon + 1).trim())
  }
  return { headers, isAmbiguous, content: blank === null ? '' : message.slice(blank.index + blank[0].length) }
}

/** Without line ends: other marks are passed over by some readers, and are an end or an error to others. */
function isBase64(letters: string): boolean {
  const words = letters.replace(/={1,2}$/, '')
  const isWhole = words.length === letters.length ? words.length % 4 !== 1 : letters.length % 4 === 0
  return isWhole && !/[^A-Za-z0-9+/]/.test(words)
}

/** @returns undefined for an encoding that is not known (RFC 2045, section 6), and for what is not encoded in base64 and says so */
function decodedContent(content: string, encoding: string): string | undefined {
  switch (encoding.toLowerCase()) {
    case '':
    case '7bit':
    case '8bit':
    case 'binary':
      return content
    case 'base64': {
      const letters = content.replace(/[ \t\r\n]/g, '')
      return isBase64(letters) ? Buffer.from(letters, 'base64').toString('latin1') : undefined
    }
    case 'quoted-printable':
      return content
        .replace(/=[ \t]*\r?\n/g, '')
        .replace(/=([0-9a-fA-F]{2})/g, (_, digits: string) =>
          String.fromCharCode(Number.parseInt(digits, 16)),
        )
    default:
      return undefined
  }
}
