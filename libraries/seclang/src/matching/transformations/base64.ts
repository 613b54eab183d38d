import { upToNul } from '../c-string.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Bytes as Base64 with padding (RFC 4648, section 4). */
export function base64Encode(value: string): string {
  return Buffer.from(value, 'latin1').toString('base64')
}

/** Decodes up to the first character that is not in the alphabet. */
export function base64Decode(value: string): string {
  const end = value.search(/[^A-Za-z0-9+/]/)
  return decode(end < 0 ? value : value.slice(0, end))
}

/** Decodes what is in the alphabet and passes over everything else, up to the first NUL. */
export function base64DecodeExt(value: string): string {
  const text = upToNul(value)
  return hasMisplacedPadding(text) ? '' : decode(text.replaceAll(/[^A-Za-z0-9+/]+/g, ''))
}

/** A single `=` after the first digit of a group makes the whole value worthless. */
function hasMisplacedPadding(text: string): boolean {
  let digits = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '=' && digits % 4 === 1 && text.charAt(at + 1) !== '=') return true
    if (alphabet.includes(character)) digits++
  }
  return false
}

function decode(digits: string): string {
  // A single digit is less than a byte.
  return digits.length < 2 ? '' : Buffer.from(digits, 'base64').toString('latin1')
}
