import { readUtf8Character } from '../transformations/utf8.ts'
import { matchIf, OperatorArgumentError, type OperatorFactory } from './operator.ts'

/** Matches a value with a byte outside the ranges of the argument, as in `1-9,65`. */
export const validateByteRange: OperatorFactory = {
  name: 'validateByteRange',
  create(argument) {
    const allowed = new Uint8Array(256)
    for (const range of argument.split(',')) allow(allowed, range)
    return {
      match(value) {
        for (let at = 0; at < value.length; at++) {
          if (allowed[value.charCodeAt(at)] !== 1) return matchIf(true)
        }
        return undefined
      },
    }
  },
}

function allow(allowed: Uint8Array, range: string): void {
  const [, first = '', last = first] = /^\s*(\d{1,3})\s*(?:-\s*(\d{1,3})\s*)?$/.exec(range) ?? []
  if (first === '' || Number(last) > 255 || Number(first) > Number(last)) {
    throw new OperatorArgumentError(`expected bytes such as 9 or 32-126, not "${range}"`)
  }
  allowed.fill(1, Number(first), Number(last) + 1)
}

/** Matches a value with a percent sign that two hexadecimal digits do not follow. */
export const validateUrlEncoding: OperatorFactory = {
  name: 'validateUrlEncoding',
  create: () => ({
    literals: [['%']],
    match: (value) => matchIf(/%(?![0-9A-Fa-f]{2})/.test(value)),
  }),
}

/** Matches a value that is not UTF-8 by RFC 3629. */
export const validateUtf8Encoding: OperatorFactory = {
  name: 'validateUtf8Encoding',
  create: () => ({ match: (value) => matchIf(hasInvalidUtf8(value)) }),
}

const greatestCharacter = 0x10ffff

function hasInvalidUtf8(value: string): boolean {
  let at = value.search(/[\x80-\xff]/)
  while (at >= 0 && at < value.length) {
    const character = readUtf8Character(value, at)
    if (typeof character === 'string' || character.fault || character.number > greatestCharacter) return true
    at += character.bytes
  }
  return false
}
