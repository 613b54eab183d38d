import {
  alwaysCapturedBy,
  capturesIn,
  firstBytesOf,
  matchesInOneWay,
  uncertainCapturesOf,
  widthOf,
} from './analysis.ts'
import { ByteSet, byteSets } from './byte-set.ts'
import { byteSetSource } from './byte-set-source.ts'
import { expandRepeat, repeatFactor, roundsMax } from './counted-repeat.ts'
import { SyntaxFailure } from './syntax-failure.ts'
import {
  type LookNode,
  type PatternNode,
  type PatternTree,
  type Position,
  type RepeatNode,
  someNode,
} from './tree.ts'

/** A pattern as the source of a JavaScript regular expression without flags. */
export interface JavaScriptPattern {
  readonly source: string
  /** Of each capturing group of `source`, from the first, its number in the pattern; 0 where it has none. */
  readonly groups: readonly number[]
  /** Whether V8's linear engine takes it: no look-ahead, no back-reference, few nested counted repetitions. */
  readonly isLinear: boolean
}

/** What is known where a node is written. */
interface Place {
  /** Groups that have a text whenever matching gets here. */
  readonly captured: ReadonlySet<number>
  /** Bytes with which what follows may begin; none where nothing follows that could fail. */
  readonly after: ByteSet
  /** How often a counted repetition may still be multiplied (see counted-repeat.ts). */
  readonly rounds: number
}

/**
 * Writes a tree as a JavaScript regular expression. Sets of bytes are written out, whatever their case, because the flag
 * `i` folds letters beyond ASCII, which PCRE does not, and keeps V8 from its linear engine.
 *
 * @throws {SyntaxFailure} when there is no JavaScript with the same meaning
 */
export function toJavaScript(tree: PatternTree): JavaScriptPattern {
  const writer = new Writer(tree.root)
  const source = writer.write(tree.root, { captured: new Set(), after: byteSets.none, rounds: roundsMax })
  return { source, groups: writer.groups, isLinear: writer.isLinear }
}

const positions: Readonly<Record<Position, string>> = {
  start: '^',
  end: '$',
  endOrLastNewline: '(?=\\n?$)',
  lineStart: '(?:^|(?<=\\n)(?!$))',
  lineEnd: '(?=\\n|$)',
  wordBoundary: '\\b',
  noWordBoundary: '\\B',
}

class Writer {
  readonly groups: number[] = []
  isLinear = true
  readonly #root: PatternNode
  readonly #duplicates: ReadonlySet<number>

  constructor(root: PatternNode) {
    this.#root = root
    const captures = capturesIn(root)
    this.#duplicates = new Set(captures.filter((index, at) => captures.indexOf(index) !== at))
  }

  write(node: PatternNode, place: Place): string {
    switch (node.kind) {
      case 'bytes':
        return byteSetSource(node.set)
      case 'sequence':
        return this.#sequence(node.items, place)
      case 'alternation':
        return node.branches.map((branch) => this.write(branch, place)).join('|')
      case 'capture':
        this.groups.push(node.index)
        return `(${this.write(node.item, place)})`
      case 'repeat':
        return node.mode === 'possessive' ? this.#possessive(node, place) : this.#repeat(node, place)
      case 'atomic':
        return this.#atomic(node.item, place)
      case 'look':
        return this.#look(node, place)
      case 'assertion':
        return this.#assertion(node.position)
      case 'backReference':
        return this.#backReference(node.index, node.ignoreCase, place)
    }
  }

  #sequence(items: readonly PatternNode[], place: Place): string {
    const captured = new Set(place.captured)
    const afters = firstBytesAfter(items, place.after)
    const written = items.map((item, at) => {
      const after = afters[at] ?? place.after
      const source = this.write(item, { ...place, captured: new Set(captured), after })
      for (const index of alwaysCapturedBy(item)) captured.add(index)
      return item.kind === 'alternation' ? `(?:${source})` : source
    })
    return written.join('')
  }

  #assertion(position: Position): string {
    const source = positions[position]
    if (source.includes('(?=') || source.includes('(?!')) this.isLinear = false
    return source
  }

  /** Greedy and lazy ones. */
  #repeat(node: RepeatNode, place: Place): string {
    const first = firstBytesOf(node.item, place.after)
    const round = { ...place, after: node.max > 1 ? place.after.union(first) : place.after }
    const expanded = expandRepeat(node, place.rounds)
    if (expanded) return this.#expanded(expanded.node, { ...round, rounds: expanded.rounds })
    const factor = repeatFactor(node)
    if (factor > place.rounds) this.isLinear = false
    const item = this.write(node.item, { ...round, rounds: Math.max(1, Math.floor(place.rounds / factor)) })
    const isUnit = node.item.kind === 'bytes' || node.item.kind === 'capture'
    return `${isUnit ? item : `(?:${item})`}${quantifierSource(node)}`
  }

  #expanded(node: PatternNode, place: Place): string {
    return `(?:${this.write(node, place)})`
  }

  /** Without a way back a possessive repetition is a greedy one: when what follows cannot begin with what it gives up. */
  #possessive(node: RepeatNode, place: Place): string {
    const greedy: RepeatNode = { ...node, mode: 'greedy' }
    const givesUp = firstBytesOf(node.item, byteSets.none)
    const isPlain = widthOf(node.item).min > 0 && matchesInOneWay(node.item)
    const isFixed = node.min === node.max
    if (isPlain && (isFixed || !givesUp.intersects(place.after))) return this.#repeat(greedy, place)
    return this.#withoutWayBack(greedy, place)
  }

  #atomic(item: PatternNode, place: Place): string {
    const isPlain = item.kind === 'repeat' && item.mode === 'greedy'
    if (isPlain) return this.#possessive({ ...item, mode: 'possessive' }, place)
    if (matchesInOneWay(item)) return `(?:${this.write(item, place)})`
    return this.#withoutWayBack(item, place)
  }

  /** A look-ahead is never tried again: match in one, keep the text, and go over it by reference. */
  #withoutWayBack(item: PatternNode, place: Place): string {
    if (uncertainCapturesOf(item).has(0)) {
      throw new SyntaxFailure('an atomic group has a loop whose rounds may be empty')
    }
    this.isLinear = false
    this.groups.push(0)
    const group = this.groups.length
    return `(?=(${this.write(item, { ...place, after: byteSets.none })}))(?:\\${group})`
  }

  #look(node: LookNode, place: Place): string {
    if (node.direction === 'behind') checkLookBehind(node.item)
    else this.isLinear = false
    const sign = node.negative ? '!' : '='
    const source = this.write(node.item, { ...place, after: byteSets.none })
    return node.direction === 'behind' ? `(?<${sign}${source})` : `(?${sign}${source})`
  }

  #backReference(index: number, ignoreCase: boolean, place: Place): string {
    this.isLinear = false
    if (this.#duplicates.has(index))
      throw new SyntaxFailure(`group ${index} stands in several branches of (?|`)
    if (!place.captured.has(index)) {
      throw new SyntaxFailure(`group ${index} may have no text yet where it is referred to`)
    }
    if (ignoreCase && captureMayHold(this.#root, index, foldedByJavaScriptAlone)) {
      throw new SyntaxFailure(
        `group ${index} may hold letters beyond ASCII, whose case JavaScript would ignore`,
      )
    }
    const group = this.groups.indexOf(index) + 1
    return ignoreCase ? `(?i:\\${group})` : `(?:\\${group})`
  }
}

/** PCRE wants every branch of a look-behind to have one width. JavaScript goes through it from right to left. */
function checkLookBehind(item: PatternNode): void {
  const branches = item.kind === 'alternation' ? item.branches : [item]
  for (const branch of branches) {
    const { min, max } = widthOf(branch)
    if (min !== max) throw new SyntaxFailure('a look-behind has no fixed width')
    if (!matchesInOneWay(branch)) checkNoCaptures(branch)
  }
}

function checkNoCaptures(node: PatternNode): void {
  if (capturesIn(node).length > 0)
    throw new SyntaxFailure('a look-behind has groups whose text is not certain')
}

/** Of each item the bytes with which what follows it may begin. */
function firstBytesAfter(items: readonly PatternNode[], after: ByteSet): readonly ByteSet[] {
  const afters: ByteSet[] = []
  let next = after
  for (const item of items.toReversed()) {
    afters.push(next)
    next = firstBytesOf(item, next)
  }
  return afters.reverse()
}

/** The letters of Latin-1 and the micro sign. */
const foldedByJavaScriptAlone = ByteSet.where((byte) => byte >= 0xc0 || byte === 0xb5)

function captureMayHold(node: PatternNode, index: number, bytes: ByteSet): boolean {
  const holds = (below: PatternNode) =>
    below.kind === 'backReference' || (below.kind === 'bytes' && below.set.intersects(bytes))
  return someNode(
    node,
    (below) => below.kind === 'capture' && below.index === index && someNode(below, holds),
  )
}

function quantifierSource({ min, max, mode }: RepeatNode): string {
  return `${countSource(min, max)}${mode === 'lazy' ? '?' : ''}`
}

function countSource(min: number, max: number): string {
  if (max === Number.POSITIVE_INFINITY) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`
  if (min === 0 && max === 1) return '?'
  return min === max ? `{${min}}` : `{${min},${max}}`
}
