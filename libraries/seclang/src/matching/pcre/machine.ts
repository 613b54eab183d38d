import { foldCase } from '../fold-case.ts'
import { byteSets } from './byte-set.ts'
import type { Instruction, Program } from './program.ts'
import type { Position } from './tree.ts'

/**
 * Runs a program over a value by trying and going back, as PCRE does, with all that JavaScript does otherwise or not at
 * all: possessive and atomic groups, references to groups without a text, groups that keep what an earlier round gave
 * them. It counts its steps and gives up at a limit, as PCRE does with its match limit.
 *
 * What to go back to lies on one stack: a choice (where to go on), or a change to take back on the way there.
 */
export class Machine {
  readonly #instructions: readonly Instruction[]
  /** Start and end of each group, -1 without a text; group 0 is not kept here. */
  readonly #captures: Int32Array
  /** Where groups that are not closed yet began. */
  readonly #opened: Int32Array
  readonly #marks: Int32Array
  #stack: StackEntry[] = []
  #value = ''
  #stepsLeft = 0

  constructor({ instructions, captures, loops }: Program) {
    this.#instructions = instructions
    this.#captures = new Int32Array(2 * (captures + 1))
    this.#opened = new Int32Array(captures + 1)
    this.#marks = new Int32Array(loops)
  }

  /**
   * The leftmost match that begins at `from` or later.
   *
   * @returns the match and its groups; null when there is none; 'gave up' after `stepsMax` steps
   */
  exec(
    value: string,
    from: number,
    stepsMax: number,
  ): { readonly captures: (string | undefined)[]; readonly index: number } | null | 'gave up' {
    this.#value = value
    this.#stepsLeft = stepsMax
    for (let start = from; start <= value.length; start++) {
      this.#captures.fill(-1)
      this.#stack = []
      const end = this.#run(0, start)
      if (this.#stepsLeft < 0) return 'gave up'
      if (end >= 0) return { captures: this.#texts(start, end), index: start }
    }
    return null
  }

  #texts(start: number, end: number): (string | undefined)[] {
    const texts: (string | undefined)[] = [this.#value.slice(start, end)]
    for (let at = 2; at < this.#captures.length; at += 2) {
      const from = this.#captures[at] ?? -1
      texts.push(from < 0 ? undefined : this.#value.slice(from, this.#captures[at + 1]))
    }
    return texts
  }

  /** Runs from an instruction to `accept`. Gives where it ended, or -1; then all changes are taken back. */
  #run(instruction: number, at: number): number {
    const base = this.#stack.length
    let pc = instruction
    let position = at
    while (true) {
      if (--this.#stepsLeft < 0) return -1
      const next = this.#instructions[pc]
      if (next === undefined || next.op === 'accept') return position
      const outcome = this.#step(next, pc, position)
      if (outcome !== failed) {
        pc = outcome
        position = this.#position
        continue
      }
      const choice = this.#goBack(base)
      if (!choice) return -1
      pc = choice.pc
      position = choice.position
    }
  }

  /** Where a step ended. */
  #position = 0

  /** @returns the next instruction, or `failed` */
  #step(instruction: Instruction, pc: number, position: number): number {
    this.#position = position
    switch (instruction.op) {
      case 'byte':
        this.#position++
        return position < this.#value.length && instruction.set.has(this.#value.charCodeAt(position))
          ? pc + 1
          : failed
      case 'split':
        this.#stack.push({ kind: 'choice', pc: instruction.second, position })
        return instruction.first
      case 'jump':
        return instruction.to
      case 'open':
        this.#change(this.#opened, instruction.capture, position)
        return pc + 1
      case 'close':
        this.#change(this.#captures, instruction.capture * 2, this.#opened[instruction.capture] ?? 0)
        this.#change(this.#captures, instruction.capture * 2 + 1, position)
        return pc + 1
      case 'assert':
        return this.#holds(instruction.position, position) ? pc + 1 : failed
      case 'backReference':
        return this.#refer(instruction.capture, instruction.ignoreCase) ? pc + 1 : failed
      case 'run':
        return this.#runBytes(instruction, pc)
      case 'back':
        this.#position -= instruction.bytes
        return this.#position >= 0 ? pc + 1 : failed
      case 'look':
        return this.#look(instruction.negative, pc, position) ? instruction.next : failed
      case 'atomic':
        return this.#once(pc + 1, position) ? instruction.next : failed
      case 'mark':
        this.#change(this.#marks, instruction.loop, position)
        return pc + 1
      case 'leaveIfEmpty':
        return this.#marks[instruction.loop] === position ? instruction.to : pc + 1
      case 'accept':
        return pc
    }
  }

  #change(target: Int32Array, at: number, number: number): void {
    this.#stack.push({ kind: 'change', target, at, before: target[at] ?? -1 })
    target[at] = number
  }

  /** Takes changes back up to the last choice above `base`. */
  #goBack(base: number): { readonly pc: number; readonly position: number } | undefined {
    while (this.#stack.length > base) {
      const entry = this.#stack.pop()
      if (entry?.kind === 'change') entry.target[entry.at] = entry.before
      else if (entry?.kind === 'choice') return entry
      else if (entry) return this.#nextOfRun(entry)
    }
    return undefined
  }

  #nextOfRun(entry: RunEntry): { readonly pc: number; readonly position: number } {
    const position = entry.position + entry.step
    if (position !== entry.last) this.#stack.push({ ...entry, position })
    return { pc: entry.pc, position }
  }

  /** A run of bytes is one entry of the stack, whatever its length. */
  #runBytes({ set, min, max, isLazy }: Extract<Instruction, { op: 'run' }>, pc: number): number {
    const start = this.#position
    const limit = Math.min(this.#value.length, start + max)
    let end = start
    while (end < limit && set.has(this.#value.charCodeAt(end))) end++
    this.#stepsLeft -= (end - start) >>> 3
    if (end - start < min) return failed
    const [first, last] = isLazy ? [start + min, end] : [end, start + min]
    if (first !== last) {
      this.#stack.push({ kind: 'run', pc: pc + 1, position: first, last, step: isLazy ? 1 : -1 })
    }
    this.#position = first
    return pc + 1
  }

  /** Matches what follows without a way back into it. Changes stay to be taken back. */
  #once(pc: number, position: number): boolean {
    const base = this.#stack.length
    const end = this.#run(pc, position)
    if (end < 0) return false
    const changes = this.#stack.splice(base).filter(({ kind }) => kind === 'change')
    for (const change of changes) this.#stack.push(change)
    this.#position = end
    return true
  }

  #look(negative: boolean, pc: number, position: number): boolean {
    const base = this.#stack.length
    const isFound = this.#once(pc + 1, position)
    if (negative && isFound) this.#goBack(base)
    this.#position = position
    return isFound !== negative && this.#stepsLeft >= 0
  }

  #refer(capture: number, ignoreCase: boolean): boolean {
    const start = this.#captures[capture * 2] ?? -1
    if (start < 0) return false
    const text = this.#value.slice(start, this.#captures[capture * 2 + 1])
    const here = this.#value.slice(this.#position, this.#position + text.length)
    this.#stepsLeft -= text.length >>> 3
    this.#position += text.length
    return here === text || (ignoreCase && foldCase(here) === foldCase(text))
  }

  #holds(assertion: Position, position: number): boolean {
    const { length } = this.#value
    switch (assertion) {
      case 'start':
        return position === 0
      case 'end':
        return position === length
      case 'endOrLastNewline':
        return position === length || (position === length - 1 && this.#isNewline(position))
      case 'lineStart':
        return position === 0 || (position < length && this.#isNewline(position - 1))
      case 'lineEnd':
        return position === length || this.#isNewline(position)
      case 'wordBoundary':
        return this.#isWord(position - 1) !== this.#isWord(position)
      case 'noWordBoundary':
        return this.#isWord(position - 1) === this.#isWord(position)
    }
  }

  #isNewline(at: number): boolean {
    return this.#value[at] === '\n'
  }

  #isWord(at: number): boolean {
    return at >= 0 && at < this.#value.length && byteSets.word.has(this.#value.charCodeAt(at))
  }
}

const failed = -1

/** Bytes of a run that may be given up or taken one by one, until `last`. */
interface RunEntry {
  readonly kind: 'run'
  readonly pc: number
  readonly position: number
  readonly last: number
  readonly step: 1 | -1
}

type StackEntry =
  | { readonly kind: 'choice'; readonly pc: number; readonly position: number }
  | { readonly kind: 'change'; readonly target: Int32Array; readonly at: number; readonly before: number }
  | RunEntry
