import { ByteSet, posixClasses } from './byte-set.ts'
import { readClassEscape } from './escapes.ts'
import type { PatternOptions } from './options.ts'
import type { Reader } from './reader.ts'

/** A member of a class: a byte, which may begin or end a range, or a set, which may not. */
type Member = number | ByteSet

/** Reads a class, its opening bracket already taken, into the set of bytes it stands for. */
export function readCharacterClass(reader: Reader, options: PatternOptions): ByteSet {
  const isNegated = reader.take('^')
  const members: (Member | '-')[] = []
  if (reader.take(']')) members.push(0x5d)
  while (!reader.take(']')) members.push(...readMembers(reader, options))
  const set = joinMembers(reader, members)
  const folded = options.ignoreCase ? set.ignoringCase() : set
  return isNegated ? folded.complement() : folded
}

/** The next member; several out of `\Q…\E`, none out of what does not count. */
function readMembers(reader: Reader, options: PatternOptions): readonly (Member | '-')[] {
  if (reader.take('\\Q')) return [...reader.takeUntil('\\E').text].map((character) => character.charCodeAt(0))
  if (reader.take('\\')) return escapedMembers(reader)
  if (reader.take('-')) return ['-']
  const posix = reader.match(/\[:(\^?)([a-z]+):\]/y)
  if (posix) return [posixClass(reader, posix[2] ?? '', posix[1] === '^')]
  if (reader.match(/\[[.=][^\]]*[.=]\]/y)) return reader.fail('POSIX collating elements are not supported')
  if (options.extendedClasses && reader.match(/[ \t]/y)) return []
  return [reader.next().charCodeAt(0)]
}

function escapedMembers(reader: Reader): readonly Member[] {
  const escaped = readClassEscape(reader)
  if (escaped.kind === 'byte') return [escaped.byte]
  if (escaped.kind === 'set') return [escaped.set]
  return []
}

function posixClass(reader: Reader, name: string, isNegated: boolean): ByteSet {
  const set = posixClasses.get(name) ?? reader.fail(`the POSIX class ${name} is unknown`)
  return isNegated ? set.complement() : set
}

/** A hyphen between two bytes makes a range; anywhere else it is itself. */
function joinMembers(reader: Reader, members: readonly (Member | '-')[]): ByteSet {
  const [only] = members
  // Sets of one byte are shared.
  if (members.length === 1) return typeof only === 'object' ? only : ByteSet.only(asBytes(only) as number)
  const parts: (ByteSet | readonly [number, number])[] = []
  for (let at = 0; at < members.length; at++) {
    const first = asBytes(members[at])
    const last = asBytes(members[at + 2])
    if (members[at + 1] === '-' && typeof first === 'number' && typeof last === 'number') {
      if (last < first) reader.fail('a range of a class is out of order')
      parts.push([first, last])
      at += 2
    } else if (first !== undefined) {
      parts.push(typeof first === 'number' ? [first, first] : first)
    }
  }
  return ByteSet.joined(parts)
}

function asBytes(member: Member | '-' | undefined): Member | undefined {
  return member === '-' ? 0x2d : member
}
