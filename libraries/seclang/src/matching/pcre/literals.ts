import { childrenOf, type PatternNode } from './tree.ts'
export const requiredLiteralsOf = (node: PatternNode) => (childrenOf(node), undefined)
