import { foldCase } from '../fold-case.ts'
import { expectedShare } from '../rarity.ts'
import type { ByteSet } from './byte-set.ts'
import type { PatternNode, RepeatNode } from './tree.ts'

/** Literals, case-folded, of which one occurs wherever the node they belong to has matched. */
type LiteralSet = readonly string[]

interface Literals {
  /** Every text that the node can match, case-folded; undefined when these are too many or not known. */
  readonly exact: LiteralSet | undefined
  /** Sets of which all hold. */
  readonly required: readonly LiteralSet[]
}

/** A class of more bytes than that says little. */
const classMax = 12
const exactMax = 128
const setMembersMax = 512
const literalLengthMax = 32
const setsMax = 4

const unknown: Literals = { exact: undefined, required: [] }
const empty: Literals = { exact: [''], required: [] }

/**
 * The literal sets of which every value that matches has a member, once its letters A–Z are read as a–z; the rarest first,
 * at most four. Undefined when there is none.
 */
export function requiredLiteralsOf(root: PatternNode): readonly LiteralSet[] | undefined {
  const { exact, required } = literalsOf(root)
  const sets = exact && isUseful(exact) ? [exact, ...required] : required
  if (sets.length === 0) return undefined
  return sets.toSorted((one, other) => share(one) - share(other)).slice(0, setsMax)
}

function literalsOf(node: PatternNode): Literals {
  switch (node.kind) {
    case 'bytes':
      return literalsOfSet(node.set)
    case 'sequence':
      return sequenceOf(node.items.flatMap(partsOf))
    case 'alternation':
      return alternationOf(node.branches.map(literalsOf))
    case 'repeat':
      return sequenceOf(partsOf(node))
    case 'capture':
    case 'atomic':
      return literalsOf(node.item)
    case 'assertion':
      return empty
    case 'look':
      return node.negative ? empty : { exact: [''], required: bestOf(literalsOf(node.item)) }
    case 'backReference':
      return unknown
  }
}

/** Patterns share their sets of bytes, most of which have one. */
const literalsOfSets = new WeakMap<ByteSet, Literals>()

function literalsOfSet(set: ByteSet): Literals {
  const literalsBefore = literalsOfSets.get(set)
  if (literalsBefore !== undefined) return literalsBefore
  const literals = newLiteralsOf(set)
  literalsOfSets.set(set, literals)
  return literals
}

function newLiteralsOf(set: ByteSet): Literals {
  if (set.size > 2 * classMax) return unknown
  const folded = new Set([...set].map((byte) => foldCase(String.fromCharCode(byte))))
  return folded.size > 0 && folded.size <= classMax ? { exact: [...folded], required: [] } : unknown
}

/** A repetition as rounds in a row with the unknown between them: `(?:ab)+` begins with `ab` and ends with it. */
function partsOf(node: PatternNode): readonly Literals[] {
  if (node.kind !== 'repeat') return [literalsOf(node)]
  const item = literalsOf(node.item)
  if (node.max === 0) return [empty]
  if (node.min === 0) return [optional(node, item)]
  if (node.min === node.max && node.min <= 4) return Array.from({ length: node.min }, () => item)
  return [item, unknown, item]
}

function optional({ max }: RepeatNode, item: Literals): Literals {
  if (max !== 1 || item.exact === undefined) return unknown
  return { exact: [...new Set([...item.exact, ''])], required: [] }
}

/** Texts that follow one another are joined into longer ones until they are too many. */
function sequenceOf(parts: readonly Literals[]): Literals {
  const required: LiteralSet[] = []
  let run: LiteralSet = ['']
  let isExact = true
  const endRun = () => {
    isExact = false
    if (isUseful(run)) required.push(run)
    run = ['']
  }
  for (const part of parts) {
    if (part.required.length > 0) required.push(...part.required)
    const longer = part.exact && joined(run, part.exact)
    if (longer) run = longer
    else {
      endRun()
      run = part.exact ?? run
    }
  }
  if (isExact) return { exact: run, required }
  endRun()
  return { exact: undefined, required }
}

function joined(befores: LiteralSet, afters: LiteralSet): LiteralSet | undefined {
  if (befores.length * afters.length > exactMax) return undefined
  const texts: string[] = []
  for (const before of befores) {
    for (const after of afters) {
      if (before.length + after.length > literalLengthMax) return undefined
      texts.push(before + after)
    }
  }
  // Different texts stay different with one text before or behind all of them.
  return befores.length === 1 || afters.length === 1 ? texts : [...new Set(texts)]
}

function alternationOf(branches: readonly Literals[]): Literals {
  const exacts = branches.map(({ exact }) => exact)
  if (exacts.every((exact) => exact !== undefined)) {
    const texts = [...new Set(exacts.flat())]
    if (texts.length <= exactMax) return { exact: texts, required: requiredOfAll(branches) }
  }
  return { exact: undefined, required: requiredOfAll(branches) }
}

/** One set out of the rarest of every branch, if every branch has one. */
function requiredOfAll(branches: readonly Literals[]): readonly LiteralSet[] {
  const bests = branches.map((branch) => bestOf(branch)[0])
  if (!bests.every((best) => best !== undefined)) return []
  const members = [...new Set(bests.flat())]
  return members.length <= setMembersMax ? [members] : []
}

/** The rarest set of a node, alone; empty when it has none. */
function bestOf({ exact, required }: Literals): readonly LiteralSet[] {
  const sets = exact && isUseful(exact) ? [exact, ...required] : required
  return sets.toSorted((one, other) => share(one) - share(other)).slice(0, 1)
}

/** A set with the empty text says nothing. */
function isUseful(set: LiteralSet): boolean {
  return set.length > 0 && !set.includes('')
}

function share(set: LiteralSet): number {
  return set.reduce((sum, literal) => sum + expectedShare(literal), 0)
}
