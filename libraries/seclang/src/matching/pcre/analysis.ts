import { type ByteSet, byteSets } from './byte-set.ts'
import { childrenOf, type PatternNode, someNode } from './tree.ts'

/** The least and the greatest number of bytes that a node matches; Infinity where there is no limit. */
export function widthOf(node: PatternNode): { readonly min: number; readonly max: number } {
  switch (node.kind) {
    case 'bytes':
      return { min: 1, max: 1 }
    case 'look':
    case 'assertion':
      return { min: 0, max: 0 }
    case 'backReference':
      return { min: 0, max: Number.POSITIVE_INFINITY }
    case 'capture':
    case 'atomic':
      return widthOf(node.item)
    case 'sequence': {
      const widths = node.items.map(widthOf)
      return { min: sum(widths.map(({ min }) => min)), max: sum(widths.map(({ max }) => max)) }
    }
    case 'alternation': {
      const widths = node.branches.map(widthOf)
      return {
        min: Math.min(...widths.map(({ min }) => min)),
        max: Math.max(...widths.map(({ max }) => max)),
      }
    }
    case 'repeat': {
      const { min, max } = widthOf(node.item)
      return { min: min * node.min, max: max === 0 || node.max === 0 ? 0 : max * node.max }
    }
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

/** The groups that have a text whenever the node has matched. */
export function alwaysCapturedBy(node: PatternNode): ReadonlySet<number> {
  switch (node.kind) {
    case 'capture':
      return new Set([node.index, ...alwaysCapturedBy(node.item)])
    case 'sequence':
      return new Set(node.items.flatMap((item) => [...alwaysCapturedBy(item)]))
    case 'alternation':
      return node.branches.map(alwaysCapturedBy).reduce((common, captured) => common.intersection(captured))
    case 'repeat':
      return node.min > 0 ? alwaysCapturedBy(node.item) : new Set()
    case 'look':
      return node.negative ? new Set() : alwaysCapturedBy(node.item)
    case 'atomic':
      return alwaysCapturedBy(node.item)
    default:
      return new Set()
  }
}

/** All groups of a node, in the order in which they open. A number comes several times under `(?|…)`. */
export function capturesIn(node: PatternNode): readonly number[] {
  const below = childrenOf(node).flatMap(capturesIn)
  return node.kind === 'capture' ? [node.index, ...below] : below
}

/**
 * The bytes that may come next where a node begins; of a node that may be empty also those of `after`, which may come next
 * where it ends.
 */
export function firstBytesOf(node: PatternNode, after: ByteSet): ByteSet {
  switch (node.kind) {
    case 'bytes':
      return node.set
    case 'capture':
    case 'atomic':
      return firstBytesOf(node.item, after)
    case 'repeat': {
      const first = node.max > 0 ? firstBytesOf(node.item, after) : byteSets.none
      return node.min > 0 ? first : first.union(after)
    }
    case 'alternation':
      return node.branches.map((branch) => firstBytesOf(branch, after)).reduce((all, set) => all.union(set))
    case 'sequence':
      return node.items.reduceRight((rest, item) => firstBytesOf(item, rest), after)
    case 'assertion':
      return node.position === 'end' ? byteSets.none : after
    case 'look':
      return after
    case 'backReference':
      return byteSets.all
  }
}

/** Whether a node matches in at most one way wherever it is tried, so that there is nothing to go back to. */
export function matchesInOneWay(node: PatternNode): boolean {
  switch (node.kind) {
    case 'bytes':
    case 'look':
    case 'assertion':
    case 'backReference':
    case 'atomic':
      return true
    case 'capture':
      return matchesInOneWay(node.item)
    case 'sequence':
      return node.items.every(matchesInOneWay)
    case 'repeat':
      return node.mode === 'possessive' || (node.min === node.max && matchesInOneWay(node.item))
    case 'alternation':
      return node.branches.every(matchesInOneWay) && beginDifferently(node.branches)
  }
}

function beginDifferently(branches: readonly PatternNode[]): boolean {
  const firsts = branches.map((branch) => firstBytesOf(branch, byteSets.all))
  return firsts.every((first, at) => firsts.slice(at + 1).every((other) => !first.intersects(other)))
}

/**
 * Whether JavaScript may tell the text of a group, or of the whole match, otherwise than PCRE. Whether there is a match is not
 * in doubt. Two things differ in loops: JavaScript forgets the groups of earlier rounds, and it takes back a round that
 * matched nothing, where PCRE ends the loop with it.
 */
export function hasUncertainCaptures(node: PatternNode): boolean {
  return someNode(node, (one) => {
    if (one.kind !== 'repeat' || one.max <= 1) return false
    const mayBeEmpty = widthOf(one.item).min === 0
    if (mayBeEmpty && !isOneRepeat(one.item)) return true
    const captures = capturesIn(one.item)
    if (captures.length === 0) return false
    const always = alwaysCapturedBy(one.item)
    return captures.some((index) => mayBeEmpty || !always.has(index))
  })
}

/** A greedy repetition of something that is never empty: tried when nothing is left, it has one way of being empty, the last. */
function isOneRepeat(node: PatternNode): boolean {
  if (node.kind === 'capture') return isOneRepeat(node.item)
  return node.kind === 'repeat' && node.mode !== 'lazy' && widthOf(node.item).min > 0
}
