import { byteSetSource } from './byte-set-source.ts'
import { expandRepeat, repeatFactor, roundsMax } from './counted-repeat.ts'
import type { PatternNode, Position, RepeatNode } from './tree.ts'

/**
 * A relaxed tree (relax.ts) as the source of a JavaScript regular expression without flags, such that V8's linear engine
 * takes it. Sets of bytes are written out, whatever their case: the flag `i` folds letters beyond ASCII, which PCRE does
 * not, and keeps V8 from its linear engine.
 */
export interface JavaScriptPattern {
  readonly source: string
  /** Of each capturing group of `source`, from the first, its number in the pattern. */
  readonly groups: readonly number[]
}

/**
 * The same pattern in JavaScript's syntax, with unrolled counts. Groups change their numbers, see
 * `JavaScriptPattern.groups`.
 */
export function toJavaScript(root: PatternNode): JavaScriptPattern {
  const groups: number[] = []
  return { source: write(root, roundsMax, groups), groups }
}

const positions: Readonly<Record<Position, string>> = {
  start: '^',
  end: '$',
  endOrLastNewline: '',
  lineStart: '(?:^|(?<=\\n))',
  lineEnd: '',
  wordBoundary: '\\b',
  noWordBoundary: '\\B',
}

/**
 * @param rounds how often a counted repetition may still be multiplied (see counted-repeat.ts)
 * @param groups takes the number of every group that is written
 */
function write(node: PatternNode, rounds: number, groups: number[]): string {
  switch (node.kind) {
    case 'bytes':
      return byteSetSource(node.set)
    case 'sequence':
      return node.items
        .map((item) => {
          const source = write(item, rounds, groups)
          return item.kind === 'alternation' ? `(?:${source})` : source
        })
        .join('')
    case 'alternation':
      return node.branches.map((branch) => write(branch, rounds, groups)).join('|')
    case 'capture':
      groups.push(node.index)
      return `(${write(node.item, rounds, groups)})`
    case 'repeat':
      return writeRepeat(node, rounds, groups)
    case 'look':
      return `(?<${node.negative ? '!' : '='}${write(node.item, rounds, groups)})`
    case 'assertion':
      return positions[node.position]
    case 'atomic':
    case 'backReference':
      throw new Error(`a relaxed tree has no ${node.kind}`)
  }
}

function writeRepeat(node: RepeatNode, rounds: number, groups: number[]): string {
  const expanded = expandRepeat(node, rounds)
  if (expanded) return `(?:${write(expanded, rounds, groups)})`
  const item = write(node.item, Math.max(1, Math.floor(rounds / repeatFactor(node))), groups)
  const isUnit = node.item.kind === 'bytes' || node.item.kind === 'capture'
  return `${isUnit ? item : `(?:${item})`}${countSource(node)}${node.mode === 'lazy' ? '?' : ''}`
}

function countSource({ min, max }: RepeatNode): string {
  if (max === Number.POSITIVE_INFINITY) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`
  if (min === 0 && max === 1) return '?'
  return min === max ? `{${min}}` : `{${min},${max}}`
}
