import { widthOf } from './analysis.ts'
import type { ByteSet } from './byte-set.ts'
import { SyntaxFailure } from './syntax-failure.ts'
import type { LookNode, PatternNode, Position, RepeatNode } from './tree.ts'

/** One step of the machine (machine.ts). Numbers of steps are places in the program. */
export type Instruction =
  | { readonly op: 'byte'; readonly set: ByteSet }
  /** Goes on at `first`, and at `second` when that fails. */
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'open'; readonly capture: number }
  | { readonly op: 'close'; readonly capture: number }
  | { readonly op: 'assert'; readonly position: Position }
  | { readonly op: 'backReference'; readonly capture: number; readonly ignoreCase: boolean }
  /** Many bytes of one set. */
  | {
      readonly op: 'run'
      readonly set: ByteSet
      readonly min: number
      readonly max: number
      readonly isLazy: boolean
    }
  /** Moves back, for a look-behind. */
  | { readonly op: 'back'; readonly bytes: number }
  /** Runs what follows up to `accept` by itself, and goes on at `next` from where this began. */
  | { readonly op: 'look'; readonly negative: boolean; next: number }
  /** Runs what follows up to `accept` by itself, and goes on at `next` from where this ended. */
  | { readonly op: 'atomic'; next: number }
  /** Keeps the place where a round of a loop begins. */
  | { readonly op: 'mark'; readonly loop: number }
  /** Leaves the loop after a round that matched nothing. */
  | { readonly op: 'leaveIfEmpty'; readonly loop: number; to: number }
  | { readonly op: 'accept' }

/** A pattern compiled for the backtracking machine. */
export interface Program {
  readonly instructions: readonly Instruction[]
  readonly captures: number
  readonly loops: number
}

/** Counted repetitions are written out; beyond this a pattern is refused. */
const instructionsMax = 50_000

/**
 * @throws {SyntaxFailure} when the program would be too long, or a look-behind has no fixed width
 */
export function toProgram(root: PatternNode, captures: number): Program {
  const compiler = new Compiler()
  compiler.add(root)
  compiler.push({ op: 'accept' })
  return { instructions: compiler.instructions, captures, loops: compiler.loops }
}

class Compiler {
  readonly instructions: Instruction[] = []
  loops = 0

  push<Pushed extends Instruction>(instruction: Pushed): Pushed {
    if (this.instructions.length >= instructionsMax) throw new SyntaxFailure('the pattern is too large')
    this.instructions.push(instruction)
    return instruction
  }

  get #here(): number {
    return this.instructions.length
  }

  add(node: PatternNode): void {
    switch (node.kind) {
      case 'bytes':
        this.push({ op: 'byte', set: node.set })
        break
      case 'sequence':
        for (const item of node.items) this.add(item)
        break
      case 'alternation':
        this.#alternation(node.branches.map((branch) => () => this.add(branch)))
        break
      case 'capture':
        this.push({ op: 'open', capture: node.index })
        this.add(node.item)
        this.push({ op: 'close', capture: node.index })
        break
      case 'repeat':
        if (node.mode === 'possessive') this.#atomic({ ...node, mode: 'greedy' })
        else this.#repeat(node)
        break
      case 'atomic':
        this.#atomic(node.item)
        break
      case 'look':
        this.#look(node)
        break
      case 'assertion':
        this.push({ op: 'assert', position: node.position })
        break
      case 'backReference':
        this.push({ op: 'backReference', capture: node.index, ignoreCase: node.ignoreCase })
    }
  }

  #alternation(branches: readonly (() => void)[]): void {
    const ends: { to: number }[] = []
    for (const [at, branch] of branches.entries()) {
      const split =
        at < branches.length - 1 ? this.push({ op: 'split', first: this.#here + 1, second: 0 }) : undefined
      branch()
      if (!split) continue
      ends.push(this.push({ op: 'jump', to: 0 }))
      split.second = this.#here
    }
    for (const end of ends) end.to = this.#here
  }

  #atomic(item: PatternNode): void {
    const atomic = this.push({ op: 'atomic', next: 0 })
    this.add(item)
    this.push({ op: 'accept' })
    atomic.next = this.#here
  }

  #look({ direction, negative, item }: LookNode): void {
    const look = this.push({ op: 'look', negative, next: 0 })
    if (direction === 'ahead') this.add(item)
    else this.#behind(item.kind === 'alternation' ? item.branches : [item])
    this.push({ op: 'accept' })
    look.next = this.#here
  }

  /** PCRE wants every branch to have one width. */
  #behind(branches: readonly PatternNode[]): void {
    this.#alternation(
      branches.map((branch) => () => {
        const { min, max } = widthOf(branch)
        if (min !== max) throw new SyntaxFailure('a look-behind has no fixed width')
        this.push({ op: 'back', bytes: min })
        this.add(branch)
      }),
    )
  }

  #repeat(node: RepeatNode): void {
    const { item, min, max } = node
    const isLazy = node.mode === 'lazy'
    if (item.kind === 'bytes') {
      this.push({ op: 'run', set: item.set, min, max, isLazy })
    } else if (max === Number.POSITIVE_INFINITY) {
      for (let round = 1; round < min; round++) this.add(item)
      if (min === 0) this.#optional(isLazy, () => this.#loop(item, isLazy))
      else this.#loop(item, isLazy)
    } else {
      for (let round = 0; round < min; round++) this.add(item)
      this.#nested(item, max - min, isLazy)
    }
  }

  /** One round or more. */
  #loop(item: PatternNode, isLazy: boolean): void {
    const loop = this.loops++
    const start = this.#here
    this.push({ op: 'mark', loop })
    this.add(item)
    const leave = this.push({ op: 'leaveIfEmpty', loop, to: 0 })
    const after = this.#here + 1
    this.push({ op: 'split', first: isLazy ? after : start, second: isLazy ? start : after })
    leave.to = after
  }

  /** `(x(x(x)?)?)?` */
  #nested(item: PatternNode, rounds: number, isLazy: boolean): void {
    const splits: { readonly split: { first: number; second: number } }[] = []
    for (let round = 0; round < rounds; round++) {
      splits.push({ split: this.#pushSplit() })
      this.add(item)
    }
    for (const { split } of splits) this.#aim(split, isLazy)
  }

  #optional(isLazy: boolean, add: () => void): void {
    const split = this.#pushSplit()
    add()
    this.#aim(split, isLazy)
  }

  /** Goes on with the next instruction; where else, is set by `#aim`. */
  #pushSplit(): { first: number; second: number } {
    return this.push({ op: 'split', first: this.#here + 1, second: 0 })
  }

  /** Lets a split also lead here, first if it is lazy. */
  #aim(split: { first: number; second: number }, isLazy: boolean): void {
    split.second = this.#here
    if (isLazy) [split.first, split.second] = [split.second, split.first]
  }
}
