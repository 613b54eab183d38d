/** An address in which what was encoded twice is encoded once: `%252e` becomes `%2e`. */
export function withoutSecondEncoding(target: string): string {
  return target.replace(/%25(?=[0-9a-f]{2})/gi, '%')
}

/** The bytes of the full-width forms of `!` to `~` in UTF-8 (U+FF01 to U+FF5E), percent-encoded or not. */
const fullWidth = /(?:%EF|\xef)(?:%(B[CD])|([\xbc\xbd]))(?:%([89AB][0-9A-F])|([\x80-\xbf]))/gi

/** An address with ASCII characters in the place of their full-width look-alikes, percent-encoded. */
export function narrowed(target: string): string {
  return target.replace(
    fullWidth,
    (written, secondHex?: string, second?: string, thirdHex?: string, third?: string) => {
      const middle = secondHex === undefined ? (second?.charCodeAt(0) ?? 0) : Number.parseInt(secondHex, 16)
      const last = thirdHex === undefined ? (third?.charCodeAt(0) ?? 0) : Number.parseInt(thirdHex, 16)
      const narrow = ((middle & 0x3f) << 6) + (last & 0x3f) - 0xf00 + 0x20
      return narrow >= 0x21 && narrow <= 0x7e ? `%${narrow.toString(16)}` : written
    },
  )
}
