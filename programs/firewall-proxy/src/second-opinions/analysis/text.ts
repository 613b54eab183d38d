import { isUtf8 } from 'node:buffer'

/** Longer values are not analysed. In bytes. */
export const lengthMax = 65_536

/**
 * The text that a value is, where it can be read for certain: UTF-8 without control characters.
 *
 * @param value a byte string
 */
export function readableText(value: string): string | undefined {
  if (value.length > lengthMax) return undefined
  const bytes = Buffer.from(value, 'latin1')
  if (!isUtf8(bytes)) return undefined
  const text = bytes.toString('utf8')
  return /[\p{Cc}--[\t\r\n]]|\p{Cf}|\ufffd/v.test(text) ? undefined : text
}

/** The byte string of a text. */
export function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

/**
 * Whether a text begins as sentences do, with words and blanks between them, and has words enough to be one. Whoever takes the whole for a
 * name, of a file or of a function, finds none.
 */
export function isSentence(text: string): boolean {
  const words = text.match(/(?<=^|[\s("'])\p{L}{2,}(?=[\s,.;:!?)"']|$)/gu) ?? []
  return words.length >= 4 && /^[\s#*>("'-]*\p{L}[\p{L}'’-]*[,:]?\s+\p{L}/u.test(text)
}

const ciphers =
  /^(?=.*\d)(?=.*[A-Z])(?:(?:[A-Za-z0-9+/]{8,8000}={0,2}(?:\|{1,3}|$)){1,200}|(?:[A-Za-z0-9_-]{8,8000}={0,2}(?:\|{1,3}|$)){1,200})$/

/** Whether a value is ciphers in Base64 with marks between them: nothing stands behind what looks like an operator or the name of a handler. */
export function isCiphers(value: string): boolean {
  return value.length >= 24 && ciphers.test(value)
}

const mediaRange = String.raw`(?:\*/\*|(?:application|audio|font|image|message|model|multipart|text|video)/(?:\*|[a-z\d][\w.+ -]{0,80}))(?:; ?[a-z]{1,20}=[\w.-]{1,20}){0,4}`

const mediaRanges = new RegExp(`^${mediaRange}(?:, ?${mediaRange}){1,30}$`, 'i')

/**
 * Whether a value is what a browser accepts, as payments and reports of errors tell it: `text/html,application/xhtml+xml,image/webp;q=0.8`. Of a form, a blank may stand for
 * the plus sign.
 */
export function isMediaRanges(value: string): boolean {
  return mediaRanges.test(value)
}

/** Other letters than those of Latin, as the function `escape` of browsers writes them. */
const escapedLetters = /(?:%u(?!00|01|02|ff)[0-9a-f]{4})+/gi

/**
 * A value with letters in place of `%u043C`, where all that is escaped so is letters: rules that decode it keep the lower byte, and take
 * some for marks.
 *
 * @param value a byte string
 */
export function withLetters(value: string): string {
  if (!value.includes('%u')) return value
  return value.replace(escapedLetters, (run) => {
    const text = String.fromCharCode(
      ...run
        .slice(2)
        .split(/%u/i)
        .map((code) => Number.parseInt(code, 16)),
    )
    return /^[\p{L}\p{M}]+$/u.test(text) && text === text.normalize('NFKC') ? bytesOf(text) : run
  })
}

/** Types that browsers show or keep and of which they run nothing: no HTML, no SVG, no XML, no script. */
const idleTypes = String.raw`image/(?:png|jpe?g|gif|webp|avif|bmp|heic|tiff|x-icon|vnd\.microsoft\.icon)|(?:audio|video|font)/[\w.+-]{1,40}|text/(?:plain|csv)|application/(?:pdf|octet-stream|json|zip|msword|vnd\.(?:ms-|openxmlformats-officedocument\.|oasis\.opendocument\.)[\w.-]{1,80})`

const file = new RegExp(
  String.raw`\bdata:(?:${idleTypes});base64,[A-Za-z0-9+/]*={0,2}(?![\w+/=%&\\;,])`,
  'gi',
)

/** The text with a word in place of each picture or other file that it holds as Base64 in an address, and that nothing runs. */
export function withoutFiles(text: string): string {
  return text.replace(file, 'content')
}

/** Comments as editors of texts write them; with nothing in them that browsers would read. */
export const editorComment = /<!--\s?(?=[\w/])[\w\s:/{}",.]*(?:-[\w\s:/{}",.]+)*\s?-->/g

/** What scripts report that were given a page instead of data: a mark in quotation marks, and the beginning of that page. */
const quotedMark = /(?<=\s)'[<>{}[\]:;,&]'(?=,\s[^\d\s])/g
const quotedDocumentType = /"<!doctype[a-z ]{0,12}"/gi

/** A function without a name in the stack of an error. */
const namelessFunction = /<(?:anonymous|(?:instance|static)_\w{0,20}initializer)>/g

/** The text with words in place of the marks that messages and stacks of errors have. */
export function withoutMarksOfErrors(text: string): string {
  return text
    .replace(quotedDocumentType, 'page')
    .replace(quotedMark, 'mark')
    .replace(namelessFunction, 'anonymous')
}
