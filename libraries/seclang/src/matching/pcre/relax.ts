import { capturesIn, firstBytesOf, matchesInOneWay, widthOf } from './analysis.ts'
import { type ByteSet, byteSets } from './byte-set.ts'
import { copiesMax, multipliedRepeats, roundsMax } from './counted-repeat.ts'
import { childrenOf, type PatternNode, type RepeatNode, someNode } from './tree.ts'

/** A tree without what V8 cannot do in linear time. */
export interface RelaxedTree {
  readonly root: PatternNode
  /** Whether it matches what the pattern matches, and not more. */
  readonly isExact: boolean
}

/**
 * Leaves out look-ahead, back-references and what forbids to go back, so that what is left matches wherever the pattern
 * does, at the same place or before it. Where leaving out changes nothing, the relaxed tree is exact.
 */
export function relax(root: PatternNode): RelaxedTree {
  if (multipliedRepeats(root) <= roundsMax && !someNode(root, mayNeedRelaxing)) return { root, isExact: true }
  const relaxing = new Relaxing()
  return { root: relaxing.relaxed(root, byteSets.none), isExact: relaxing.isExact }
}

/** Most patterns have no such node, and stay as they are. */
function mayNeedRelaxing(node: PatternNode): boolean {
  switch (node.kind) {
    case 'look':
    case 'atomic':
    case 'backReference':
      return true
    case 'repeat':
      return node.mode === 'possessive'
    case 'assertion':
      return (
        node.position === 'lineStart' || node.position === 'lineEnd' || node.position === 'endOrLastNewline'
      )
    default:
      return false
  }
}

const nothing: PatternNode = { kind: 'sequence', items: [] }

const anything: PatternNode = {
  kind: 'repeat',
  item: { kind: 'bytes', set: byteSets.all },
  min: 0,
  max: Number.POSITIVE_INFINITY,
  mode: 'greedy',
}

class Relaxing {
  isExact = true

  /** @param after the bytes with which what follows may begin; none where nothing follows that could fail */
  relaxed(node: PatternNode, after: ByteSet): PatternNode {
    switch (node.kind) {
      case 'bytes':
        return node
      case 'sequence':
        return { kind: 'sequence', items: this.#sequence(node.items, after) }
      case 'alternation':
        return { kind: 'alternation', branches: node.branches.map((branch) => this.relaxed(branch, after)) }
      case 'capture':
        return { ...node, item: this.relaxed(node.item, after) }
      case 'repeat':
        return this.#repeat(node, after)
      case 'atomic':
        return this.#atomic(node.item, after)
      case 'look':
        return node.direction === 'behind' && isPlain(node.item) ? node : this.#loosened(nothing)
      case 'assertion':
        if (node.position === 'lineEnd' || node.position === 'endOrLastNewline')
          return this.#loosened(nothing)
        if (node.position === 'lineStart') return this.#loosened(node)
        return node
      case 'backReference':
        return this.#loosened(anything)
    }
  }

  #loosened(node: PatternNode): PatternNode {
    this.isExact = false
    return node
  }

  #sequence(items: readonly PatternNode[], after: ByteSet): readonly PatternNode[] {
    const relaxed: PatternNode[] = []
    let next = after
    for (const item of items.toReversed()) {
      relaxed.push(this.relaxed(item, next))
      next = firstBytesOf(item, next)
    }
    return relaxed.reverse()
  }

  #repeat(node: RepeatNode, after: ByteSet): PatternNode {
    const first = firstBytesOf(node.item, after)
    const item = this.relaxed(node.item, node.max > 1 ? after.union(first) : after)
    if (node.mode === 'possessive' && !canGoBackInVain(node, after)) this.isExact = false
    const repeat: RepeatNode = { ...node, item, mode: node.mode === 'possessive' ? 'greedy' : node.mode }
    const factor = multipliedRepeats(repeat)
    if (factor > copiesMax)
      return this.#loosened({ ...repeat, item: withoutCaptures(item), min: 0, max: Infinity })
    if (factor > roundsMax && capturesIn(item).length > 0) {
      return this.#loosened({ ...repeat, item: withoutCaptures(item) })
    }
    return repeat
  }

  #atomic(item: PatternNode, after: ByteSet): PatternNode {
    if (item.kind === 'repeat' && item.mode === 'greedy') {
      return this.#repeat({ ...item, mode: 'possessive' }, after)
    }
    if (!matchesInOneWay(item)) this.isExact = false
    return this.relaxed(item, after)
  }
}

/** Whether a repetition that gives something up finds that what follows cannot begin with it. Then it need not be possessive. */
function canGoBackInVain({ item, min, max }: RepeatNode, after: ByteSet): boolean {
  if (widthOf(item).min === 0 || !matchesInOneWay(item)) return false
  return min === max || !firstBytesOf(item, byteSets.none).intersects(after)
}

/** Whether a look-behind can stay: nothing in it must be relaxed, and no group kept. */
function isPlain(item: PatternNode): boolean {
  const isSpecial = ({ kind }: PatternNode) =>
    kind === 'capture' ||
    kind === 'look' ||
    kind === 'backReference' ||
    kind === 'atomic' ||
    kind === 'repeat'
  return !someNode(item, isSpecial)
}

function withoutCaptures(node: PatternNode): PatternNode {
  if (capturesIn(node).length === 0) return node
  switch (node.kind) {
    case 'capture':
      return withoutCaptures(node.item)
    case 'sequence':
      return { ...node, items: childrenOf(node).map(withoutCaptures) }
    case 'alternation':
      return { ...node, branches: childrenOf(node).map(withoutCaptures) }
    case 'repeat':
    case 'atomic':
    case 'look':
      return { ...node, item: withoutCaptures(node.item) }
    default:
      return node
  }
}
