const hexadecimal = /^[0-9A-Fa-f]$/

function isHexadecimalAt(value: string, at: number): boolean {
  return hexadecimal.test(value.charAt(at))
}

/** Whether there are hexadecimal digits from `at` on, `count` of them. */
export function areHexadecimal(value: string, at: number, count: number): boolean {
  for (let offset = 0; offset < count; offset++) if (!isHexadecimalAt(value, at + offset)) return false
  return true
}

/** What two characters stand for as hexadecimal digits. Others than digits count too, by their distance, as in ModSecurity. */
function hexadecimalByte(high: number, low: number): number {
  return (hexadecimalDigit(high) * 16 + hexadecimalDigit(low)) & 0xff
}

function hexadecimalDigit(byte: number): number {
  return byte >= 0x41 ? (byte & 0xdf) - 0x41 + 10 : byte - 0x30
}

/** The byte that the two characters from `at` on stand for, as a character. */
export function hexadecimalCharacter(value: string, at: number): string {
  return String.fromCharCode(hexadecimalByte(value.charCodeAt(at), value.charCodeAt(at + 1)))
}

/**
 * The byte of four hexadecimal digits: the lower one. The full-width forms U+FF01–U+FF5E are read as their ASCII
 * counterparts.
 */
export function lowByteOfFour(digits: string): string {
  const low = Number.parseInt(digits.slice(2), 16)
  const isFullWidth = /^ff/i.test(digits) && low > 0 && low < 0x5f
  return String.fromCharCode(isFullWidth ? low + 0x20 : low)
}
