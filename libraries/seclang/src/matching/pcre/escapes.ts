import { type ByteSet, byteSets } from './byte-set.ts'
import type { Reader } from './reader.ts'
import type { Position } from './tree.ts'

/** What a backslash and what follows it stand for. */
export type Escape =
  | { readonly kind: 'byte'; readonly byte: number }
  | { readonly kind: 'set'; readonly set: ByteSet }
  | { readonly kind: 'position'; readonly position: Position }
  /** A group by its number, or counted back from here (`\g{-1}`), or by its name. */
  | { readonly kind: 'reference'; readonly to: number | string; readonly isRelative: boolean }
  /** `\R`: one line break of any kind. */
  | { readonly kind: 'lineBreak' }
  /** `\E` without `\Q`. */
  | { readonly kind: 'nothing' }

const bytes: ReadonlyMap<string, number> = new Map([
  ['a', 0x07],
  ['e', 0x1b],
  ['f', 0x0c],
  ['n', 0x0a],
  ['r', 0x0d],
  ['t', 0x09],
])

const sets: ReadonlyMap<string, ByteSet> = new Map([
  ['d', byteSets.digit],
  ['D', byteSets.digit.complement()],
  ['s', byteSets.space],
  ['S', byteSets.space.complement()],
  ['w', byteSets.word],
  ['W', byteSets.word.complement()],
  ['h', byteSets.horizontalSpace],
  ['H', byteSets.horizontalSpace.complement()],
  ['v', byteSets.verticalSpace],
  ['V', byteSets.verticalSpace.complement()],
])

const positions: ReadonlyMap<string, Position> = new Map([
  ['A', 'start'],
  ['G', 'start'],
  ['Z', 'endOrLastNewline'],
  ['z', 'end'],
  ['b', 'wordBoundary'],
  ['B', 'noWordBoundary'],
])

/** Reads an escape outside a class, the backslash already taken. `groupsSoFar` tells `\12` the reference from the octal. */
export function readEscape(reader: Reader, groupsSoFar: number): Escape {
  const number = reader.match(/[1-9][0-9]*/y)
  if (number) return referenceOrOctal(reader, number[0], groupsSoFar)
  const common = readCommonEscape(reader)
  if (common) return common
  const letter = reader.next()
  const position = positions.get(letter)
  if (position) return { kind: 'position', position }
  if (letter === 'N' && reader.peek() !== '{') return { kind: 'set', set: byteSets.newline.complement() }
  if (letter === 'C') return { kind: 'set', set: byteSets.all }
  if (letter === 'R') return { kind: 'lineBreak' }
  if (letter === 'E') return { kind: 'nothing' }
  if (letter === 'g') return readReference(reader, /\{([+-]?\d+|[A-Za-z_]\w*)\}|([+-]?\d+)/y)
  if (letter === 'k') return readReference(reader, /\{([A-Za-z_]\w*)\}|<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)'/y)
  return reader.fail(`\\${letter} is not supported`)
}

/** Reads an escape inside a class, the backslash already taken. */
export function readClassEscape(reader: Reader): Escape {
  if (reader.take('b')) return { kind: 'byte', byte: 0x08 }
  if (reader.take('E')) return { kind: 'nothing' }
  const octal = reader.match(/[1-7][0-7]{0,2}/y)
  if (octal) return octalByte(reader, octal[0])
  return readCommonEscape(reader) ?? reader.fail(`\\${reader.peek()} is not supported in a class`)
}

function readCommonEscape(reader: Reader): Escape | undefined {
  const letter = reader.peek()
  const named = readNamed(reader)
  if (named) return named
  if (letter === 'x') return readHexadecimal(reader)
  if (letter === '0') return octalByte(reader, reader.match(/[0-7]{1,3}/y)?.[0] ?? '')
  if (letter === 'o') return readBracedOctal(reader)
  if (letter === 'c') return readControl(reader)
  if (/[^A-Za-z0-9]/.test(letter)) return { kind: 'byte', byte: reader.next().charCodeAt(0) }
  return undefined
}

function readNamed(reader: Reader): Escape | undefined {
  const letter = reader.peek()
  const set = sets.get(letter)
  const byte = bytes.get(letter)
  if (set || byte !== undefined) reader.next()
  if (set) return { kind: 'set', set }
  return byte === undefined ? undefined : { kind: 'byte', byte }
}

/** `\x` with up to two digits (none is byte 0), or any number in braces. */
function readHexadecimal(reader: Reader): Escape {
  reader.next()
  const braced = reader.match(/\{([0-9A-Fa-f]+)\}/y)
  const digits = braced?.[1] ?? reader.match(/[0-9A-Fa-f]{0,2}/y)?.[0] ?? ''
  return byteOf(reader, Number.parseInt(digits || '0', 16))
}

function readBracedOctal(reader: Reader): Escape {
  reader.next()
  const braced = reader.match(/\{([0-7]+)\}/y)
  return octalByte(reader, braced?.[1] ?? reader.fail('\\o wants an octal number in braces'))
}

/** `\cX`: X in upper case with bit 6 inverted. */
function readControl(reader: Reader): Escape {
  reader.next()
  return { kind: 'byte', byte: reader.next().toUpperCase().charCodeAt(0) ^ 0x40 }
}

/** Up to 9, and up to the number of groups so far, it is a reference; otherwise an octal number of up to three digits. */
function referenceOrOctal(reader: Reader, digits: string, groupsSoFar: number): Escape {
  const number = Number(digits)
  if (number < 10 || number <= groupsSoFar) return { kind: 'reference', to: number, isRelative: false }
  if (!/^[0-7]{2,3}$/.test(digits))
    return reader.fail(`\\${digits} is neither a group so far nor an octal number`)
  return octalByte(reader, digits)
}

function readReference(reader: Reader, form: RegExp): Escape {
  const reference = reader.match(form)
  const to = reference?.slice(1).find((group) => group !== undefined)
  if (to === undefined) return reader.fail('this form of reference is not supported')
  if (!/^[+-]?\d+$/.test(to)) return { kind: 'reference', to, isRelative: false }
  return { kind: 'reference', to: Number(to), isRelative: /^[+-]/.test(to) }
}

function octalByte(reader: Reader, digits: string): Escape {
  return byteOf(reader, Number.parseInt(digits, 8))
}

function byteOf(reader: Reader, number: number): Escape {
  if (number > 0xff) reader.fail(`${number.toString(16)} is more than a byte`)
  return { kind: 'byte', byte: number }
}
