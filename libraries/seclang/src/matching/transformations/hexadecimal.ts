import { upToNul } from '../c-string.ts'
import { areHexadecimal, hexadecimalCharacter } from './digits.ts'

/** Two characters a byte, whether they are digits or not; an odd one at the end goes. */
export function hexDecode(value: string): string {
  let result = ''
  for (let at = 0; at + 1 < value.length; at += 2) result += hexadecimalCharacter(value, at)
  return result
}

/** Two lower-case digits for each byte. */
export function hexEncode(value: string): string {
  return Buffer.from(value, 'latin1').toString('hex')
}

/**
 * `0xHHHH…` as SQL writes strings. The character after one is copied unseen. The value ends at the first NUL, be it one that
 * was decoded.
 */
export function sqlHexDecode(value: string): string {
  const text = upToNul(value)
  let result = ''
  let at = 0
  while (at < text.length) {
    if (/^0x$/i.test(text.slice(at, at + 2)) && areHexadecimal(text, at + 2, 2)) {
      for (at += 2; areHexadecimal(text, at, 2); at += 2) result += hexadecimalCharacter(text, at)
    }
    result += text.charAt(at++)
  }
  return upToNul(result)
}
