/** The bytes of the full-width forms of `!` to `~` in UTF-8 (U+FF01 to U+FF5E), percent-encoded or not. */
const fullWidth = /(?:%EF|\xef)(?:%(B[CD])|([\xbc\xbd]))(?:%([89AB][0-9A-F])|([\x80-\xbf]))/gi

/** ASCII characters in UTF-8 of more bytes than they need; of two bytes also where the second one is none of UTF-8, as in `%c0%2e`. */
const overlong =
  /[\xc0\xc1][\0-\xff]|\xe0[\x80\x81][\x80-\xbf]|\xf0\x80[\x80\x81][\x80-\xbf]|\xf8\x80\x80[\x80\x81][\x80-\xbf]|\xfc\x80\x80\x80[\x80\x81][\x80-\xbf]/g

/** Characters, in UTF-8, for which Windows takes characters of ASCII where it converts to a character set that has none of them. */
const lookAlikes: Readonly<Record<string, string>> = {
  '\xe2\x88\x95': '/',
  '\xe2\x81\x84': '/',
  '\xe2\x88\x96': '\\',
  '\xe2\x80\xa4': '.',
}
const lookAlike = /\xe2(?:\x88[\x95\x96]|\x81\x84|\x80\xa4)/g

/** A text with ASCII characters in the place of their full-width look-alikes, percent-encoded. */
export function narrowFullWidth(text: string): string {
  return text.replace(
    fullWidth,
    (written, secondHex?: string, second?: string, thirdHex?: string, third?: string) => {
      const middle = secondHex === undefined ? (second?.charCodeAt(0) ?? 0) : Number.parseInt(secondHex, 16)
      const last = thirdHex === undefined ? (third?.charCodeAt(0) ?? 0) : Number.parseInt(thirdHex, 16)
      const narrow = ((middle & 0x3f) << 6) + (last & 0x3f) - 0xf00 + 0x20
      return narrow >= 0x21 && narrow <= 0x7e ? `%${narrow.toString(16)}` : written
    },
  )
}

/** Percent-encoded bytes as bytes; what only looks like one stays. */
export function decodePercent(text: string): string {
  if (!text.includes('%')) return text
  return text.replace(/%([0-9a-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
}

/**
 * A text as the most lenient servers decode it: besides percent-encoded bytes also `%u0061`, ASCII characters in more bytes of UTF-8 than
 * they need, full-width ones, and look-alikes of dots and slashes. What was encoded several times is decoded once.
 *
 * @param text a byte string
 */
export function lenientlyDecoded(text: string): string {
  if (!/[%\xc0-\xff]/.test(text)) return text
  const plain = text.replace(/%u([0-9a-f]{4})/gi, (_, digits: string) =>
    Buffer.from(String.fromCharCode(Number.parseInt(digits, 16)), 'utf8').toString('latin1'),
  )
  return withoutLookAlikes(decodePercent(narrowFullWidth(plain))).replace(overlong, (bytes) => {
    const [last, before] = [bytes.charCodeAt(bytes.length - 1), bytes.charCodeAt(bytes.length - 2)]
    return String.fromCharCode(((before & 1) << 6) | (last & 0x3f))
  })
}

/** A byte string with ASCII characters in the place of what Windows takes for dots and slashes. */
export function withoutLookAlikes(bytes: string): string {
  return bytes.replace(lookAlike, (match) => lookAlikes[match] ?? match)
}
