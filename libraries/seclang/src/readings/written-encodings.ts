import { utf8ByteString } from '../bodies/utf8.ts'

/** Entities of HTML for characters of ASCII that attacks are written with. */
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  colon: ':',
  comma: ',',
  dollar: '$',
  equals: '=',
  excl: '!',
  grave: '`',
  gt: '>',
  lcub: '{',
  lpar: '(',
  lt: '<',
  nbsp: ' ',
  newline: '\n',
  num: '#',
  percnt: '%',
  period: '.',
  quot: '"',
  rcub: '}',
  rpar: ')',
  semi: ';',
  sol: '/',
  tab: '\t',
  vert: '|',
}

/**
 * A text with `%27` and `%u0027` decoded once. Blanks that are written as plus signs stay.
 *
 * @param text a byte string
 */
export function withoutPercents(text: string): string {
  if (!text.includes('%')) return text
  return text.replace(/%(?:u00)?([\da-f]{2})/gi, (_, digits: string) => character(digits, 16))
}

/**
 * A text with every encoding decoded once that is written into a text: `%27`, `\u0027` and `\x27` of JSON and JavaScript, `&#39;` of HTML,
 * UTF-7 (RFC 2152) where it stands for ASCII, `+ACc-`, and characters of ASCII in more bytes of UTF-8 than they need. Control characters are
 * blanks, as they are to databases, and percent signs that encode nothing are left out, as ASP leaves them out.
 *
 * @param text a byte string
 */
export function withoutWrittenEncodings(text: string): string {
  const plain = withoutUtf7(withoutEntities(withoutEscapes(withoutPercents(text))))
  return withoutControls(withoutLonePercents(withoutOverlongUtf8(plain)))
}

/** A letter alone is one of another character set. */
function withoutOverlongUtf8(text: string): string {
  if (!/(?:[\xc0\xc1][\x80-\xbf]|\xe0[\x80\x81][\x80-\xbf]).*[\xc0\xc1\xe0]/s.test(text)) return text
  return text.replace(
    /(?:([\xc0\xc1])|\xe0([\x80\x81]))([\x80-\xbf])/g,
    (_, two = '', three = '', last: string) =>
      String.fromCharCode(((`${two}${three}`.charCodeAt(0) & 1) << 6) | (last.charCodeAt(0) & 0x3f)),
  )
}

function withoutLonePercents(text: string): string {
  return /(?:%[^%]){6}/.test(text) ? text.replace(/%(?![\da-f]{2})/gi, '') : text
}

function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is about these.
  return text.replace(/[\x01-\x08\x0e-\x1f]/g, ' ')
}

/** Quotes and the like are escaped by themselves in every regular expression and path, so they count beside numbers only. */
function withoutEscapes(text: string): string {
  if (!text.includes('\\') || !/\\u\{?[\da-f]|\\x[\da-f]{2}/i.test(text)) return text
  return text.replace(
    /\\(?:u([\da-f]{4})|u\{([\da-f]{1,6})\}|x([\da-f]{2})|(["'/\\]))/gi,
    (written, four?: string, some?: string, two?: string, itself?: string) => {
      if (itself !== undefined) return itself
      const digits = four ?? some ?? two
      return digits === undefined ? written : character(digits, 16)
    },
  )
}

function withoutEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,7})(?=;));?/gi,
    (written, decimal?: string, hexadecimal?: string, name?: string) => {
      if (decimal !== undefined) return character(decimal, 10)
      if (hexadecimal !== undefined) return character(hexadecimal, 16)
      const lowerName = (name ?? '').toLowerCase()
      return Object.hasOwn(entities, lowerName) ? (entities[lowerName] ?? written) : written
    },
  )
}

function withoutUtf7(text: string): string {
  if (!text.includes('+A')) return text
  return text.replace(/\+(A[A-H][A-Za-z\d+/]+)-?/g, (written, units: string) => {
    const bytes = Buffer.from(units, 'base64')
    if (bytes.length % 2 === 1) return written
    const plain = bytes.swap16().toString('utf16le')
    return /^[\t\r\n\x20-\x7e]*$/.test(plain) ? plain : written
  })
}

/** The bytes of a character in UTF-8, as a byte string. */
function character(digits: string, radix: 10 | 16): string {
  const code = Number.parseInt(digits, radix)
  // A byte is what it is: it may be one of several of a character.
  if (code < 0x100 && digits.length <= 2) return String.fromCharCode(code)
  return code > 0x10ffff ? '' : utf8ByteString(String.fromCodePoint(code))
}
