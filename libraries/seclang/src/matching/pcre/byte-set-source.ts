import type { ByteSet } from './byte-set.ts'

/** A set of bytes as JavaScript source: a character, or a class of the fewer bytes, those in it or those that are not. */
export function byteSetSource(set: ByteSet): string {
  if (set.size === 256) return '[^]'
  const [only] = set
  if (set.size === 1 && only !== undefined) return byteSource(only)
  return set.size > 128 ? `[^${rangesSource(set.complement())}]` : `[${rangesSource(set)}]`
}

function rangesSource(set: ByteSet): string {
  let source = ''
  let first = -1
  let last = -1
  for (const byte of set) {
    if (byte !== last + 1 && first >= 0) source += rangeSource(first, last)
    if (byte !== last + 1 || first < 0) first = byte
    last = byte
  }
  return first < 0 ? source : source + rangeSource(first, last)
}

function rangeSource(first: number, last: number): string {
  if (first === last) return byteSource(first)
  return `${byteSource(first)}${last > first + 1 ? '-' : ''}${byteSource(last)}`
}

/** Good inside and outside of classes. */
function byteSource(byte: number): string {
  const character = String.fromCharCode(byte)
  return /[A-Za-z0-9_ "'<>=;:@%&!#~,`]/.test(character)
    ? character
    : `\\x${byte.toString(16).padStart(2, '0')}`
}
