import type { PatternNode, RepeatNode } from '../matching/pcre/tree.ts'
import type { Random } from './random.ts'

/**
 * A value that the pattern of a tree probably matches: what it must see around it (look-around, word boundaries) is left to
 * chance. Repetitions without limit are short.
 */
export function sampleMatch(root: PatternNode, random: Random): string {
  return new Sampler(random).sample(root)
}

/** A value that differs a little: a byte more, less, in the other case or another one, something around it, or twice. */
export function mutate(value: string, random: Random): string {
  const at = random.below(value.length + 1)
  const before = value.slice(0, at)
  const after = value.slice(at)
  switch (random.below(8)) {
    case 0:
      return before + randomByte(random) + after
    case 1:
      return before + after.slice(1)
    case 2:
      return before + flipCase(after.charAt(0)) + after.slice(1)
    case 3:
      return before + randomByte(random) + after.slice(1)
    case 4:
      return `${randomBytes(random, 4)}${value}${randomBytes(random, 4)}`
    case 5:
      return before + before.slice(-3) + after
    case 6:
      return value.toUpperCase().replaceAll(/[^\0-\xff]/g, '?')
    default:
      return before
  }
}

const likelyBytes = ' \n\t/\\\'"`=;:,.()<>[]{}%&+-_*#@!?|$^~aAzZ09eExX\0\x0b\x85\xa0\xe9\xc9\xff\r'

export function randomByte(random: Random): string {
  return random.oneIn(4) ? String.fromCharCode(random.below(256)) : random.pick([...likelyBytes])
}

function randomBytes(random: Random, lengthMax: number): string {
  return Array.from({ length: random.below(lengthMax + 1) }, () => randomByte(random)).join('')
}

function flipCase(character: string): string {
  if (!/[A-Za-z]/.test(character)) return character
  return String.fromCharCode(character.charCodeAt(0) ^ 0x20)
}

class Sampler {
  readonly #random: Random
  readonly #captured = new Map<number, string>()

  constructor(random: Random) {
    this.#random = random
  }

  sample(node: PatternNode): string {
    switch (node.kind) {
      case 'bytes':
        return this.#byte([...node.set])
      case 'sequence':
        return node.items.map((item) => this.sample(item)).join('')
      case 'alternation':
        return this.sample(this.#random.pick(node.branches))
      case 'repeat':
        return this.#repeat(node)
      case 'capture': {
        const text = this.sample(node.item)
        this.#captured.set(node.index, text)
        return text
      }
      case 'atomic':
        return this.sample(node.item)
      case 'look':
        return !node.negative && node.direction === 'ahead' && this.#random.oneIn(2)
          ? this.sample(node.item)
          : ''
      case 'assertion':
        return ''
      case 'backReference':
        return this.#captured.get(node.index) ?? ''
    }
  }

  #byte(bytes: readonly number[]): string {
    if (bytes.length === 0) return ''
    const printable = bytes.filter((byte) => byte >= 0x20 && byte < 0x7f)
    const isPlain = printable.length > 0 && !this.#random.oneIn(6)
    return String.fromCharCode(this.#random.pick(isPlain ? printable : bytes))
  }

  #repeat({ item, min, max }: RepeatNode): string {
    const more = Math.min(max - min, this.#random.oneIn(10) ? 20 : 3)
    const times = min + this.#random.below(more + 1)
    return Array.from({ length: times }, () => this.sample(item)).join('')
  }
}
