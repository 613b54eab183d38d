import { commands } from './command-words.ts'
import { bytesOf } from './text.ts'

/** A line of a document of contacts or calendars, with the lines that continue it. */
interface ContentLine {
  readonly name: string
  /** Values of parameters, without marks of quotation. */
  readonly parameters: readonly string[]
  readonly isInBase64: boolean
  readonly value: string
}

const parameterValue = '(?:"[^"]*"|[^";:,]*)'

/** Parameters without a value, as version 2.1 of vCard has them, and programs' own. */
const lonelyParameter =
  'HOME|WORK|PREF|VOICE|FAX|MSG|CELL|PAGER|BBS|MODEM|CAR|ISDN|VIDEO|INTERNET|DOM|INTL|POSTAL|PARCEL|JPEG|GIF|PNG|BASE64|QUOTED-PRINTABLE|X-[A-Z0-9-]{1,40}'

/** `item1.TEL;TYPE=HOME,VOICE:052 11 22 33` */
const contentLine = new RegExp(
  `^(?:[A-Za-z0-9-]+\\.)?(?<name>[A-Za-z][A-Za-z0-9-]*)(?<parameters>(?:;(?:[A-Za-z0-9-]+=${parameterValue}(?:,${parameterValue})*|(?:${lonelyParameter})(?=[;:])))*):(?<value>.*)$`,
  'i',
)

const parameterValues = new RegExp(`[=,](${parameterValue})`, 'g')

/** Their values have parts, mostly with semicolons between them. */
const structured = /^(?:PRODID|N|ADR|ORG|GENDER|GEO|RRULE|EXRULE|REQUEST-STATUS)$/i

/** Names of lines that are names of commands, too. None of those does harm with what may follow here. */
const ordinaryNames = /^(?:LABEL|REV|SOURCE|TITLE)$/i

/** Behind an equals sign it calls nothing. */
const plainParameter = /^[\w.+-]{0,80}$/

/** The name of a program and of who made it, within a line that says these. */
const plainProduct = /^(?!.*--)[\p{L}\p{N} .,+-]{0,200}$/u

/** As Apple's contacts write what is shown in the language of the user. */
const localName = /^_\$!<[A-Za-z ]{1,40}>!\$_$/

const base64 = /[;=](?:B|BASE64)(?:;|$)/i

/**
 * Why a text is harmless that is a whole document of contacts or calendars (vCard, RFC 6350; iCalendar, RFC 5545): no line of it has the name of a
 * command, and each value and parameter is harmless by itself. Pictures in Base64 are left out.
 *
 * @param isHarmless judges a part of the document, as a byte string
 * @returns undefined for other texts, and where a part may do harm
 */
export function whyHarmlessContentLines(
  text: string,
  isHarmless: (value: string) => boolean,
): string | undefined {
  const isHarmlessPart = (part: string) => isHarmless(bytesOf(part))
  const harmless = contentLinesOf(text)?.every(
    ({ name, parameters, isInBase64, value }) =>
      (ordinaryNames.test(name) || !commands.has(name.toLowerCase())) &&
      parameters.every((one) => plainParameter.test(one) || isHarmlessPart(one)) &&
      ((isInBase64 && /^[A-Za-z0-9+/ \t]*={0,2}$/.test(value)) ||
        partsOf(name, value).every((part) => isPlain(name, part) || isHarmlessPart(part))),
  )
  return harmless
    ? 'it is a document of contacts or dates, each value of which is harmless by itself'
    : undefined
}

function isPlain(name: string, part: string): boolean {
  return part === '' || localName.test(part) || (/^PRODID$/i.test(name) && plainProduct.test(part))
}

/** Whether a text is a whole document of contacts or calendars. */
export function isContentLines(text: string): boolean {
  return contentLinesOf(text) !== undefined
}

/** Lines as headers of an answer have them, but for `LOCATION`, which is where something takes place. */
const header = /^(?:content-(?:type|length)|set-cookie)$/i
const headerInText = /(?:content-(?:type|length)|set-cookie)\s*:/i

/**
 * Why a body ends no header of an answer and begins none: it is a document of calendars or contacts, whose lines say where something takes place.
 *
 * @param value a byte string
 */
export function whyNoHeaders(value: string): string | undefined {
  const lines = contentLinesOf(Buffer.from(value, 'latin1').toString('utf8'))
  if (lines === undefined || lines.some(({ name, value }) => header.test(name) || headerInText.test(value)))
    return undefined
  return 'it is a document of calendars or contacts, which has lines of its own'
}

/** Undefined for other texts. */
function contentLinesOf(text: string): readonly ContentLine[] | undefined {
  if (!/^BEGIN:V(?:CARD|CALENDAR)\r?\n/i.test(text)) return undefined
  const lines: ContentLine[] = []
  const open: string[] = []
  for (const written of text
    .trimEnd()
    .replaceAll(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)) {
    // Behind a picture, version 2.1 of vCard has an empty line.
    if (written === '') continue
    const line = lineOf(written)
    if (line === undefined) return undefined
    if (/^BEGIN$/i.test(line.name)) open.push(line.value.toUpperCase())
    else if (open.length === 0) return undefined
    if (/^END$/i.test(line.name) && open.pop() !== line.value.toUpperCase()) return undefined
    lines.push(line)
  }
  return open.length === 0 ? lines : undefined
}

function lineOf(text: string): ContentLine | undefined {
  const { name, parameters = '', value = '' } = contentLine.exec(text)?.groups ?? {}
  if (name === undefined) return undefined
  const values = [...parameters.matchAll(parameterValues)].map(([, one = '']) => one.replaceAll('"', ''))
  return { name, parameters: values, isInBase64: base64.test(parameters), value }
}

function partsOf(name: string, value: string): readonly string[] {
  // `-//Example//Calendar 2.1//EN`
  const separator = /^PRODID$/i.test(name) ? /^-?\/\/|\/\// : /(?<!\\);/
  const parts = structured.test(name) ? value.split(separator) : [value]
  return parts.map((part) => part.replaceAll(/\\([,;\\])/g, '$1').replaceAll(/\\n/gi, '\n'))
}
