/** How many bytes a character has by its first one, and the least number that needs so many. */
const forms = [
  { first: 0xc0, mask: 0xe0, bytes: 2, numberMin: 0x80 },
  { first: 0xe0, mask: 0xf0, bytes: 3, numberMin: 0x800 },
  { first: 0xf0, mask: 0xf8, bytes: 4, numberMin: 0x10000 },
] as const

/** A code point, how many bytes it took, and what is wrong with its encoding. */
export interface Utf8Character {
  readonly number: number
  readonly bytes: number
  readonly fault: 'overlong' | 'restricted' | undefined
}

/** Reads one character of UTF-8; overlong forms and surrogates are read too and marked. */
export function readUtf8Character(value: string, at: number): Utf8Character | 'too short' | 'invalid byte' {
  const first = value.charCodeAt(at)
  if (first < 0x80) return { number: first, bytes: 1, fault: undefined }
  const form = forms.find(({ first: bits, mask }) => (first & mask) === bits)
  if (!form) return 'invalid byte'
  if (at + form.bytes > value.length) return 'too short'
  let number = first & ~form.mask
  for (let next = 1; next < form.bytes; next++) {
    const byte = value.charCodeAt(at + next)
    if ((byte & 0xc0) !== 0x80) return 'invalid byte'
    number = (number << 6) | (byte & 0x3f)
  }
  return { number, bytes: form.bytes, fault: faultOf(number, form.numberMin) }
}

function faultOf(number: number, numberMin: number): 'overlong' | 'restricted' | undefined {
  if (number >= 0xd800 && number <= 0xdfff) return 'restricted'
  return number < numberMin ? 'overlong' : undefined
}

/** 0xF5 and above begin no character of Unicode, though some have the form of one. */
const restrictedFirst = 0xf5

/**
 * Every character above U+007F becomes `%uhhhh`. A byte that begins a character without its other bytes goes, as does NUL;
 * bytes that begin none stay.
 */
export function utf8toUnicode(value: string): string {
  let result = ''
  for (let at = 0; at < value.length; ) {
    const character = readUtf8Character(value, at)
    const byte = value.charAt(at)
    if (byte < '\x80') result += byte === '\0' ? '' : byte
    else result += keptByte(byte) + (typeof character === 'object' ? unicodeOf(character, byte) : '')
    at += typeof character === 'object' ? character.bytes : 1
  }
  return result
}

function keptByte(byte: string): string {
  const code = byte.charCodeAt(0)
  const beginsCharacter = code >= 0xc0 && code < restrictedFirst
  return beginsCharacter ? '' : byte
}

/** After an overlong form or a surrogate its first byte comes once more. */
function unicodeOf({ number, fault }: Utf8Character, firstByte: string): string {
  return `%u${number.toString(16).padStart(4, '0')}${fault ? firstByte : ''}`
}
