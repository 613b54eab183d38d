import type { ByteSet } from './byte-set.ts'
import { type PatternNode, type Position, type RepeatNode, someNode } from './tree.ts'

/** The assertions that need no more than the byte before and the byte behind. */
export type NearPosition = Extract<Position, 'start' | 'end' | 'wordBoundary' | 'noWordBoundary'>

/** Where a match has come to in a pattern, and what leads on from there. Places go by their index. */
export type Place =
  | { readonly kind: 'byte'; readonly set: ByteSet; readonly next: number }
  | { readonly kind: 'assertion'; readonly position: NearPosition; readonly next: number }
  | Fork
  /** The pattern has matched. */
  | { readonly kind: 'match' }

/** Leads on without a byte. */
export interface Fork {
  readonly kind: 'fork'
  readonly next: readonly number[]
}

/** The places of a pattern, and the one where it begins. */
export interface Places {
  readonly places: readonly Place[]
  readonly first: number
}

/** Counted repetitions are written out; a pattern of more places is left to others. */
const placesMax = 20_000

/**
 * The places of a relaxed tree (relax.ts). Look-behind and the rarer assertions are taken as if they always held, so that the
 * places lead to a match wherever the tree does, and perhaps elsewhere. Undefined when there would be too many.
 */
export function placesOf(root: PatternNode): Places | undefined {
  const builder = new Builder()
  const first = builder.before(builder.add({ kind: 'match' }), root)
  return builder.isFull ? undefined : { places: builder.places, first }
}

/** Whether the places of a relaxed tree lead to a match only where the tree does. */
export function arePlacesExact(root: PatternNode): boolean {
  return !someNode(
    root,
    (node) =>
      node.kind === 'look' || node.kind === 'atomic' || (node.kind === 'assertion' && !isNear(node.position)),
  )
}

/** Builds from the end to the beginning, so that every place knows where it leads. */
class Builder {
  readonly places: Place[] = []

  get isFull(): boolean {
    return this.places.length >= placesMax
  }

  add(place: Place): number {
    return this.places.push(place) - 1
  }

  /** The place where a node begins that leads on to `next`. */
  before(next: number, node: PatternNode): number {
    if (this.isFull) return next
    switch (node.kind) {
      case 'bytes':
        return this.add({ kind: 'byte', set: node.set, next })
      case 'sequence':
        return node.items.reduceRight((at, item) => this.before(at, item), next)
      case 'alternation':
        return this.add({ kind: 'fork', next: node.branches.map((branch) => this.before(next, branch)) })
      case 'capture':
      case 'atomic':
        return this.before(next, node.item)
      case 'repeat':
        return this.#beforeRepeat(next, node)
      case 'assertion':
        return isNear(node.position) ? this.add({ kind: 'assertion', position: node.position, next }) : next
      case 'look':
        return next
      case 'backReference':
        throw new Error('a relaxed tree has no backReference')
    }
  }

  #beforeRepeat(next: number, { item, min, max }: RepeatNode): number {
    let at = max === Number.POSITIVE_INFINITY ? this.#beforeLoop(next, item) : next
    if (max !== Number.POSITIVE_INFINITY) {
      for (let round = min; round < max && !this.isFull; round++)
        at = this.add({ kind: 'fork', next: [this.before(at, item), next] })
    }
    for (let round = 0; round < min && !this.isFull; round++) at = this.before(at, item)
    return at
  }

  #beforeLoop(next: number, item: PatternNode): number {
    const ways = [next]
    const loop = this.add({ kind: 'fork', next: ways })
    ways.push(this.before(loop, item))
    return loop
  }
}

function isNear(position: Position): position is NearPosition {
  return (
    position === 'start' || position === 'end' || position === 'wordBoundary' || position === 'noWordBoundary'
  )
}
