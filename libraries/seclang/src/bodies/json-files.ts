import { isText } from './body-content.ts'
import type { UploadedFile } from './parsed-body.ts'

/** A document of JSON apart from the files in it. */
export interface JsonWithFiles {
  /** The document with empty strings, or the beginnings of their addresses, in place of the files. */
  readonly text: string
  /** Each by the name of the member that it is in, with a content type where its address says one. */
  readonly files: readonly UploadedFile[]
}

/** How much of a document is taken for text, and for files. */
export interface JsonFileLimits {
  /** Bytes. */
  readonly textMax: number
  readonly filesMax: number
}

/** Shorter strings are values like others. In characters. */
const fileLengthMin = 4096

/** How a file begins that stands in an address: `data:image/png;base64,`. */
const beginningOfAddress = /^data:([\w/+.-]{1,100})(?:;[\w.-]{1,40}=[\w.-]{1,60}){0,3};base64,/i

/**
 * Takes the files out of a document of JSON: strings that are Base64 as a whole, of bytes that are no text, as editors and clients of APIs send pictures
 * and documents. Base64 of text stays where it is, since applications may read that as a value.
 *
 * It is read from quotation mark to quotation mark: of a valid document these are its strings, and what is none is an error to whoever parses the
 * text that is left.
 *
 * @param document a byte string
 * @returns undefined where more text is left than the limit, or there are more files
 */
export function extractJsonFiles(
  document: string,
  { textMax, filesMax }: JsonFileLimits,
): JsonWithFiles | undefined {
  const pieces: string[] = []
  const files: UploadedFile[] = []
  let length = 0
  let field = ''
  let from = 0
  const keep = (to: number) => {
    length += to - from
    pieces.push(document.slice(from, to))
  }
  for (let open = document.indexOf('"'); open >= 0; ) {
    const close = endOfString(document, open)
    if (close < 0) break
    const isName = /^[ \t\r\n]*:/.test(document.slice(close + 1, close + 100))
    if (isName) field = document.slice(open + 1, close)
    const file = isName || close - open < fileLengthMin ? undefined : fileIn(document.slice(open + 1, close))
    if (file !== undefined) {
      keep(open + 1 + file.beginning.length)
      files.push({
        field,
        fileName: '',
        content: file.content,
        headerLines: file.type === '' ? [] : [`Content-Type: ${file.type}`],
      })
      from = close
    }
    if (length + (close - from) > textMax || files.length > filesMax) return undefined
    open = document.indexOf('"', close + 1)
  }
  keep(document.length)
  return length > textMax ? undefined : { text: pieces.join(''), files }
}

/** The place of the mark that ends a string; -1 where none does. */
function endOfString(document: string, open: number): number {
  for (let close = document.indexOf('"', open + 1); close >= 0; close = document.indexOf('"', close + 1)) {
    let backslashes = 0
    while (document[close - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return close
  }
  return -1
}

interface FileInString {
  readonly beginning: string
  /** As its address says; empty where it has none. */
  readonly type: string
  readonly content: string
}

function fileIn(string: string): FileInString | undefined {
  const [beginning = '', type = ''] = beginningOfAddress.exec(string.slice(0, 400)) ?? []
  // Some writers escape the slash, and some break Base64 into lines.
  const letters = string
    .slice(beginning.length)
    .replaceAll('\\/', '/')
    .replaceAll('\\r', '')
    .replaceAll('\\n', '')
  const end = letters.search(/[^\w+/-]/)
  if (end >= 0 && !/^={1,2}$/.test(letters.slice(end))) return undefined
  const content = Buffer.from(letters, 'base64').toString('latin1')
  return isText(content) ? undefined : { beginning, type: type.toLowerCase(), content }
}
