import { enableLinearRegExpEngine } from '@palisade/seclang/linear-engine'

/** How many characters, classes and the like an expression may have when its counted repetitions are written out. */
export const expressionSizeMax = 2048

/** Why an expression has no linear form: continues "… is an expression that". */
export class NoLinearForm extends Error {}

/**
 * An expression that finds the same as the given one and that V8's linear engine takes, so that its time grows with the text and no
 * faster. That engine refuses counted repetitions above 16, nested ones multiplied: here they are written out, `a{2,4}` as
 * `aa(?:a(?:a)?)?`.
 *
 * From the first call on, V8 has its linear engine in the whole process.
 *
 * @param source a valid regular expression without the flags u and v
 * @param options whether the groups are asked for afterwards; otherwise an expression that is written out has none left
 * @throws NoLinearForm
 */
export function linearForm(source: string, { keepsGroups = false } = {}): string {
  const whole = writtenOut(source, keepsGroups)
  const form = isLinear(source) ? source : whole
  if (isLinear(form)) return form
  throw new NoLinearForm('looks around, refers back, or nests too many repetitions')
}

/**
 * The expression without counted repetitions.
 *
 * @throws NoLinearForm for one that is too large then, or that would lose a group
 */
export function writtenOut(source: string, keepsGroups: boolean): string {
  return new Writer(source, keepsGroups).whole()
}

function isLinear(source: string): boolean {
  // V8 alone can say.
  enableLinearRegExpEngine()
  try {
    new RegExp(source, 'gl')
    return true
  } catch {
    return false
  }
}

/** A part of an expression, written out. */
interface Part {
  readonly source: string
  readonly size: number
  /** Whether it can be repeated as it stands. */
  readonly isSingle: boolean
  readonly hasGroup: boolean
  readonly canBeEmpty: boolean
}

const atoms =
  /\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|c[a-z]|0[0-7]{0,2}|[\s\S])|\[(?:[^\]\\]|\\[\s\S])*\]|\((?:\?:|\?<\w+>)?|[\s\S]/giy
const quantifiers = /[*+?]\??|\{(\d+)(,(\d*))?\}(\?)?/y

class Writer {
  readonly #source: string
  readonly #keepsGroups: boolean
  #at = 0

  constructor(source: string, keepsGroups: boolean) {
    this.#source = source
    this.#keepsGroups = keepsGroups
  }

  whole(): string {
    return this.#alternatives().source
  }

  /** Up to the parenthesis that closes them, or the end. */
  #alternatives(): Part {
    const branches = [this.#branch()]
    while (this.#source[this.#at] === '|') {
      this.#at++
      branches.push(this.#branch())
    }
    return joined(
      branches,
      '|',
      branches.some(({ canBeEmpty }) => canBeEmpty),
    )
  }

  #branch(): Part {
    const parts: Part[] = []
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at] ?? '')) {
      parts.push(this.#term())
    }
    return joined(
      parts,
      '',
      parts.every(({ canBeEmpty }) => canBeEmpty),
    )
  }

  #term(): Part {
    const atom = this.#atom()
    const [quantifier, least, range, most, lazy = ''] = this.#take(quantifiers) ?? []
    if (quantifier === undefined) return atom
    if (least === undefined) {
      const canBeEmpty = atom.canBeEmpty || !quantifier.startsWith('+')
      return { ...atom, source: `${atom.source}${quantifier}`, isSingle: false, canBeEmpty }
    }
    const min = Number(least)
    const max = range === undefined ? min : most === '' ? Number.POSITIVE_INFINITY : Number(most)
    return this.#repeated(atom, { min, max, lazy })
  }

  #atom(): Part {
    const [text = ''] = this.#take(atoms) ?? []
    if (text.startsWith('(')) return this.#group(text)
    // A backslash before a "c" that begins no control character stands for itself, but not before what would be written behind it.
    if (text === '\\c') throw new NoLinearForm('has "\\c" without a letter')
    // As it would begin a counted repetition before what is written out.
    const source = text === '{' ? '\\{' : text
    const canBeEmpty = /^(?:[\^$]|\\b)$/i.test(text)
    return { source, size: 1, isSingle: !text.startsWith('\\'), hasGroup: false, canBeEmpty }
  }

  #group(opening: string): Part {
    const isCapturing = opening !== '(?:'
    if (this.#source[this.#at] === '?')
      throw new NoLinearForm('has a group of a kind other than (…), (?:…) and (?<name>…)')
    const { source, size, hasGroup, canBeEmpty } = this.#alternatives()
    this.#at++
    return {
      source: `${this.#keepsGroups ? opening : '(?:'}${source})`,
      size: size + 1,
      isSingle: true,
      hasGroup: hasGroup || isCapturing,
      canBeEmpty,
    }
  }

  #repeated(
    { source, size, isSingle, hasGroup, canBeEmpty }: Part,
    { min, max, lazy }: { readonly min: number; readonly max: number; readonly lazy: string },
  ): Part {
    const isEndless = max === Number.POSITIVE_INFINITY
    const count = isEndless ? min + 1 : max
    checkSize(size * count)
    if (hasGroup && this.#keepsGroups && count > 1) {
      throw new NoLinearForm('repeats a group by a number; write (?:…) for groups whose text is not needed')
    }
    const one = isSingle ? source : `(?:${source})`
    const further = isEndless ? `${one}*${lazy}` : optional(one, max - min, lazy, canBeEmpty)
    return {
      source: `(?:${one.repeat(min)}${further})`,
      size: Math.max(size * count, 1),
      isSingle: true,
      hasGroup,
      canBeEmpty: canBeEmpty || min === 0,
    }
  }

  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at
    const match = expression.exec(this.#source) ?? undefined
    this.#at += match?.[0].length ?? 0
    return match
  }
}

/** Up to that many of a part, none of them empty: one that could be does not stand inside another one, which need not be empty then. */
function optional(one: string, count: number, lazy: string, canBeEmpty: boolean): string {
  if (canBeEmpty) return `(?:${one})?${lazy}`.repeat(count)
  return `${`(?:${one}`.repeat(count)}${`)?${lazy}`.repeat(count)}`
}

function joined(parts: readonly Part[], sign: string, canBeEmpty: boolean): Part {
  const size = parts.reduce((sum, part) => sum + part.size, 0)
  checkSize(size)
  const source = parts.map((part) => part.source).join(sign)
  return { source, size, isSingle: false, hasGroup: parts.some(({ hasGroup }) => hasGroup), canBeEmpty }
}

function checkSize(size: number): void {
  if (size > expressionSizeMax) {
    throw new NoLinearForm(
      `has more than ${expressionSizeMax} parts when its repetitions are written out; make the numbers smaller`,
    )
  }
}
