import type { ByteSet } from './byte-set.ts'

/** Where an assertion without width holds. `lineStart` and `lineEnd` are `^` and `$` under `(?m)`. */
export type Position =
  | 'start'
  | 'end'
  | 'endOrLastNewline'
  | 'lineStart'
  | 'lineEnd'
  | 'wordBoundary'
  | 'noWordBoundary'

/**
 * A pattern as a tree. Options such as `(?i)` are gone: the parser has worked them into the sets of bytes, so that
 * the tree means the same wherever it stands.
 */
export type PatternNode =
  /** One byte out of a set. */
  | { readonly kind: 'bytes'; readonly set: ByteSet }
  /** One after another; empty for the empty pattern. */
  | { readonly kind: 'sequence'; readonly items: readonly PatternNode[] }
  /** The first branch that leads to a match. */
  | { readonly kind: 'alternation'; readonly branches: readonly PatternNode[] }
  | RepeatNode
  /** A group whose text is kept under a number, counted from 1. */
  | { readonly kind: 'capture'; readonly index: number; readonly item: PatternNode }
  /** Matches as its item does at first, and never tries another way. */
  | { readonly kind: 'atomic'; readonly item: PatternNode }
  | LookNode
  | { readonly kind: 'assertion'; readonly position: Position }
  | { readonly kind: 'backReference'; readonly index: number; readonly ignoreCase: boolean }

/** An item with a quantifier. */
export interface RepeatNode {
  readonly kind: 'repeat'
  readonly item: PatternNode
  readonly min: number
  /** Infinity when there is no limit. */
  readonly max: number
  readonly mode: 'greedy' | 'lazy' | 'possessive'
}

/** A condition on what follows or precedes, without width. */
export interface LookNode {
  readonly kind: 'look'
  readonly direction: 'ahead' | 'behind'
  readonly negative: boolean
  readonly item: PatternNode
}

/** A parsed pattern. */
export interface PatternTree {
  readonly root: PatternNode
  /** How many capturing groups there are; the highest number of one. */
  readonly captures: number
}

/** The nodes directly below a node. */
export function childrenOf(node: PatternNode): readonly PatternNode[] {
  switch (node.kind) {
    case 'sequence':
      return node.items
    case 'alternation':
      return node.branches
    case 'repeat':
    case 'capture':
    case 'atomic':
    case 'look':
      return [node.item]
    case 'bytes':
    case 'assertion':
    case 'backReference':
      return []
  }
}

/** Whether a node or one below it is such a one. */
export function someNode(node: PatternNode, isSuch: (node: PatternNode) => boolean): boolean {
  return isSuch(node) || childrenOf(node).some((child) => someNode(child, isSuch))
}
