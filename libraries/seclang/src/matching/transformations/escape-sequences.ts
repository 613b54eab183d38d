import { lowByteOfFour } from './digits.ts'

/** What C and JavaScript have in common. */
const controls: ReadonlyMap<string, string> = new Map([
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
])

/** `\uHHHH` (the lower byte), `\xHH`, `\OOO` up to 377, control characters; any other backslash goes. A last one stays. */
export function jsDecode(value: string): string {
  return value.replaceAll(
    /\\(?:u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|([0-3][0-7]{0,2}|[4-7][0-7]?)|(.))/gs,
    (_, wide?: string, narrow?: string, octal?: string, other = '') => {
      if (wide !== undefined) return lowByteOfFour(wide)
      if (narrow !== undefined) return String.fromCharCode(Number.parseInt(narrow, 16))
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
      return controls.get(other) ?? other
    },
  )
}

/** ANSI C: `\xHH`, `\OOO` (the lower byte), control characters; any other backslash goes. A last one stays. */
export function escapeSeqDecode(value: string): string {
  return value.replaceAll(
    /\\(?:[xX]([0-9A-Fa-f]{2})|([0-7]{1,3})|(.))/gs,
    (_, hexadecimal?: string, octal?: string, other = '') => {
      if (hexadecimal !== undefined) return String.fromCharCode(Number.parseInt(hexadecimal, 16))
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
      return controls.get(other) ?? other
    },
  )
}

/**
 * CSS 2: one to six hexadecimal digits (the lower byte), a blank after them goes; an escaped line feed goes; any other
 * backslash goes, the last one too.
 */
export function cssDecode(value: string): string {
  return value.replaceAll(/\\(?:([0-9A-Fa-f]{1,6})[\t-\r ]?|\n|(.)|$)/gs, (_, digits?: string, other = '') =>
    digits === undefined ? other : cssCharacter(digits),
  )
}

/** Full width counts with four digits, or with zeros before them. */
function cssCharacter(digits: string): string {
  if (digits.length < 4 || !/^0*$/.test(digits.slice(0, -4))) {
    return String.fromCharCode(Number.parseInt(digits.slice(-2), 16))
  }
  return lowByteOfFour(digits.slice(-4))
}
