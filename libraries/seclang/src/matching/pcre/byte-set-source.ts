import type { ByteSet } from './byte-set.ts'

/** A set of bytes as JavaScript source: a character, or a class, whichever of it and its complement is shorter. */
export function byteSetSource(set: ByteSet): string {
  if (set.size === 256) return '[^]'
  const [only] = set
  if (set.size === 1 && only !== undefined) return byteSource(only)
  const members = rangesSource(set)
  const others = rangesSource(set.complement())
  return others.length < members.length ? `[^${others}]` : `[${members}]`
}

function rangesSource(set: ByteSet): string {
  let source = ''
  for (let first = 0; first < 256; first++) {
    if (!set.has(first)) continue
    let last = first
    while (set.has(last + 1)) last++
    source += rangeSource(first, last)
    first = last
  }
  return source
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
