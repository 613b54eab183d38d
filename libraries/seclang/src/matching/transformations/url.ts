import { lowByteOfFour } from './digits.ts'

function percentDecoded(digits: string): string {
  return String.fromCharCode(Number.parseInt(digits, 16))
}

/** `%HH` and `+`. A percent sign that begins no such form stays. */
export function urlDecode(value: string): string {
  return value.replaceAll(/\+|%([0-9A-Fa-f]{2})/g, (_, digits?: string) =>
    digits === undefined ? ' ' : percentDecoded(digits),
  )
}

/** Of a code page: the byte that is closest to a character of Unicode's first plane. */
export type UnicodeMap = ReadonlyMap<number, number>

/**
 * `%HH`, `+` and IIS's `%uHHHH`.
 *
 * @param map as `SecUnicodeMapFile` sets it; without one, or for a character that it does not have, the lower byte is taken
 */
export function urlDecodeUni(value: string, map?: UnicodeMap): string {
  return value.replaceAll(
    /\+|%(?:[uU]([0-9A-Fa-f]{4})|([0-9A-Fa-f]{2}))/g,
    (_, wide?: string, narrow?: string) => {
      if (wide !== undefined) return wideCharacter(wide, map)
      return narrow === undefined ? ' ' : percentDecoded(narrow)
    },
  )
}

function wideCharacter(digits: string, map: UnicodeMap | undefined): string {
  const mapped = map?.get(Number.parseInt(digits, 16))
  return mapped === undefined ? lowByteOfFour(digits) : String.fromCharCode(mapped)
}

/**
 * Reads one code page out of a mapping file as ModSecurity ships it (`unicode.mapping`): a line with the number of the page
 * and its name, then a line of `code:byte` in hexadecimal, separated by spaces.
 *
 * @returns undefined when the file does not have the page
 */
export function readUnicodeMap(file: string, codePage: number): UnicodeMap | undefined {
  const page = new RegExp(`^${codePage}\\b.*\\r?\\n(.*)$`, 'm').exec(file)?.[1]
  if (page === undefined) return undefined
  const entries = page.matchAll(/([0-9A-Fa-f]{4}):([0-9A-Fa-f]{2})/g)
  return new Map(
    [...entries].map(([, code = '', byte = '']) => [Number.parseInt(code, 16), Number.parseInt(byte, 16)]),
  )
}

/** A space becomes `+`; letters of ASCII, digits and `*` stay; everything else becomes `%hh`. */
export function urlEncode(value: string): string {
  return value.replaceAll(/[^0-9A-Za-z*]/g, (character) =>
    character === ' ' ? '+' : `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}
