/** C0 and C1 control characters, DEL, separators of lines, what turns the direction of text around, and the byte-order mark. */
const orders = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Cs}/gu

/** The text with what a terminal could take for an order, or hide, written as an escape: `\n`, `\u001b`. */
export function printable(text: string): string {
  return text.replace(orders, (character) => {
    const escaped = JSON.stringify(character).slice(1, -1)
    return escaped === character ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : escaped
  })
}

/** A value as it stands behind `name=`: bare where that is clear, as JSON otherwise. */
export function printableValue(value: unknown): string {
  if (typeof value === 'string' && /^[^\s"=\\]+$/.test(value)) return printable(value)
  return printable(JSON.stringify(value) ?? String(value))
}
