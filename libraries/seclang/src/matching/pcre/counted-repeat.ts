/**
 * V8's linear engine copies what is repeated a counted number of times, and refuses a pattern when the numbers of nested
 * repetitions multiply to more than 16. Written one after another, repetitions do not multiply:
 *
 *     x{40}      x{16}x{16}x{8}
 *     x{40,}     x{16}x{16}x{8}x*
 *     x{0,40}    x{16}(?:x{16}x{0,8}|x{0,15})|x{0,15}      each number in one way, the greater first
 */
import { childrenOf, type PatternNode, type RepeatNode } from './tree.ts'

/** The product that V8 allows. */
export const roundsMax = 16

/** Above this many copies a repetition is not written out. */
export const copiesMax = 512

/** What a repetition alone multiplies by. */
export function repeatFactor({ min, max }: RepeatNode): number {
  return Math.max(1, max === Number.POSITIVE_INFINITY ? min : max)
}

/** The product of a node's nested repetitions. */
export function multipliedRepeats(node: PatternNode): number {
  let below = 1
  for (const child of childrenOf(node)) below = Math.max(below, multipliedRepeats(child))
  return node.kind === 'repeat' ? below * repeatFactor(node) : below
}

/** A repetition as several, none of which multiplies by more than `rounds`; undefined when it may stay as it is. */
export function expandRepeat(node: RepeatNode, rounds: number): PatternNode | undefined {
  const below = Math.min(multipliedRepeats(node.item), rounds)
  if (repeatFactor(node) * below <= rounds) return undefined
  const chunk = Math.max(1, Math.floor(rounds / below))
  const items = [...exactly(node.item, node.min, chunk)]
  if (node.max === Number.POSITIVE_INFINITY) items.push({ ...node, min: 0 })
  else items.push(atMost(node, node.max - node.min, chunk))
  return { kind: 'sequence', items }
}

function* exactly(item: PatternNode, count: number, chunk: number): Iterable<PatternNode> {
  for (let left = count; left > 0; left -= chunk) {
    const times = Math.min(left, chunk)
    yield { kind: 'repeat', item, min: times, max: times, mode: 'greedy' }
  }
}

function atMost(node: RepeatNode, count: number, chunk: number): PatternNode {
  const { item, mode } = node
  if (count <= chunk) return { kind: 'repeat', item, min: 0, max: count, mode }
  const many: PatternNode = {
    kind: 'sequence',
    items: [...exactly(item, chunk, chunk), atMost(node, count - chunk, chunk)],
  }
  const few: PatternNode = { kind: 'repeat', item, min: 0, max: chunk - 1, mode }
  return { kind: 'alternation', branches: mode === 'lazy' ? [few, many] : [many, few] }
}
