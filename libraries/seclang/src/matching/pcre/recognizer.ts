import { type ByteSet, byteSets } from './byte-set.ts'
import { type Fork, type NearPosition, type Place, type Places, placesOf } from './places.ts'
import type { PatternNode } from './tree.ts'

/** What a recognizer says of a value. */
export type Recognition = 'match' | 'no match' | 'unknown'

/**
 * Says whether a value may match, reading every byte once: after each it knows all places that a match which began
 * somewhere before may have come to. Such a set of places is a state; states and the ways between them are found
 * when they are first needed and kept, so that ordinary text soon takes some nanoseconds a byte.
 *
 * V8's linear engine goes through all places anew for every byte of every value. The large patterns of version 4 of the
 * Core Rule Set, alternations of hundreds of words, keep it busy for over a microsecond a byte.
 */
export class Recognizer {
  readonly #places: readonly Place[]
  readonly #first: number
  readonly #classes: ByteClasses
  #states = new Map<string, State>()
  /** How much memory the states take, in numbers and references. */
  #size = 0
  #initial: State
  /** Where a match that begins here comes to behind one byte, by what stands before and the class of the byte. */
  readonly #begun: Readonly<Record<Before, (Reached | undefined)[]>> = { start: [], word: [], other: [] }
  /** Of each place the round in which it was last visited. */
  readonly #visited: Uint32Array
  #round = 0
  /** How many places have been visited to find states. */
  #visits = 0

  /** @returns undefined when the tree is too large */
  static of(root: PatternNode): Recognizer | undefined {
    const places = placesOf(root)
    return places && new Recognizer(places)
  }

  private constructor({ places, first }: Places) {
    this.#places = places
    this.#first = first
    this.#classes = classesOf(places)
    this.#visited = new Uint32Array(places.length)
    this.#initial = this.#initialState()
  }

  /** False only if the value does not match. Also true when it needs so many new states that another search is faster. */
  mayMatch(value: string): boolean {
    return this.recognize(value) !== 'no match'
  }

  /** Whether the value matches; unknown when it needs so many new states that another search is faster. */
  recognize(value: string): Recognition {
    const { classOf } = this.#classes
    const visitsMax = this.#visits + value.length * visitsPerByte
    let state = this.#initial
    for (let at = 0; at < value.length; at++) {
      if (state.hasMatched) return 'match'
      const byteClass = classOf[value.charCodeAt(at)] ?? 0
      const next = state.next[byteClass]
      if (!next && this.#visits > visitsMax) return 'unknown'
      state = next ?? this.#advance(state, byteClass)
    }
    const hasMatched =
      state.hasMatched || this.#reach([this.#first, ...state.places], state.before, endOfValue).hasMatched
    return hasMatched ? 'match' : 'no match'
  }

  /** The state behind one byte of a class. */
  #advance(state: State, byteClass: number): State {
    const { places, before } = state
    const begun = this.#begun[before][byteClass] ?? this.#reach([this.#first], before, byteClass)
    this.#begun[before][byteClass] = begun
    const gone = this.#reach(places, before, byteClass)
    const next =
      begun.hasMatched || gone.hasMatched
        ? matched
        : this.#stateOf([...gone.places, ...begun.places], this.#isWord(byteClass) ? 'word' : 'other')
    state.next[byteClass] = next
    return next
  }

  /** Where the next byte leads, or whether there is a match before it. */
  #reach(from: readonly number[], before: Before, after: number): Reached {
    const isWordAfter = after !== endOfValue && this.#isWord(after)
    const holds: Readonly<Record<NearPosition, boolean>> = {
      start: before === 'start',
      end: after === endOfValue,
      wordBoundary: isWordAfter !== (before === 'word'),
      noWordBoundary: isWordAfter === (before === 'word'),
    }
    const byte = this.#classes.byteOf[after]
    const places: number[] = []
    let hasMatched = false
    this.#walk(from, (place) => {
      if (place.kind === 'match') hasMatched = true
      else if (place.kind === 'assertion') return holds[place.position]
      else if (byte !== undefined && place.set.has(byte)) places.push(place.next)
      return false
    })
    return { places, hasMatched }
  }

  #isWord(byteClass: number): boolean {
    return this.#classes.tellsWords && byteSets.word.has(this.#classes.byteOf[byteClass] ?? 0)
  }

  #initialState(): State {
    return this.#matchesAnyway([this.#first]) ? matched : this.#stateOf([], 'start')
  }

  #stateOf(from: readonly number[], before: Before): State {
    const places = [...new Set(from)].filter((at) => at !== this.#first).sort((one, other) => one - other)
    const key = before + String.fromCharCode(...places)
    const state = this.#states.get(key)
    if (state) return state
    if (this.#matchesAnyway(places)) return matched
    const size = this.#classes.byteOf.length + 2 * places.length + sizeOfEmptyState
    if (this.#size + size > sizeMax && this.#size > 0) this.#forget()
    const newState = { places, before, hasMatched: false, next: new Array(this.#classes.byteOf.length) }
    this.#states.set(key, newState)
    this.#size += size
    return newState
  }

  #forget(): void {
    this.#states = new Map()
    this.#size = 0
    this.#initial = this.#initialState()
  }

  /** Whether there is a match at one of the places, whatever comes next. */
  #matchesAnyway(places: readonly number[]): boolean {
    let hasMatched = false
    this.#walk(places, (place) => {
      if (place.kind === 'match') hasMatched = true
      return false
    })
    return hasMatched
  }

  /** Visits places and all that forks lead to, and what assertions lead to if `visit` says that they hold. */
  #walk(from: readonly number[], visit: (place: Exclude<Place, Fork>) => boolean): void {
    if (this.#round === roundMax) {
      this.#visited.fill(0)
      this.#round = 0
    }
    this.#round++
    const pending = [...from]
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      const place = this.#places[at]
      if (place === undefined || this.#visited[at] === this.#round) continue
      this.#visited[at] = this.#round
      this.#visits++
      if (place.kind === 'fork') pending.push(...place.next)
      else if (visit(place) && place.kind === 'assertion') pending.push(place.next)
    }
  }
}

/** What the states of one pattern may take together: a quarter of a megabyte. */
const sizeMax = 30_000

/** Of the object, its arrays and its entry. */
const sizeOfEmptyState = 20

/** As far as rounds can be told apart; clients that send values made for it come there in hours. */
const roundMax = 0xff_ff_ff_ff

/** A value for which more places have to be visited is left to another search. */
const visitsPerByte = 4

const endOfValue = -1

/** What stands before: nothing, a byte of a word, another byte. */
type Before = 'start' | 'word' | 'other'

interface Reached {
  readonly places: readonly number[]
  readonly hasMatched: boolean
}

/** Where matches that have begun have come to; in every state one may begin besides. */
interface State extends Reached {
  readonly before: Before
  /** By the class of the byte; holes where it is not known yet. */
  readonly next: (State | undefined)[]
}

const matched: State = { places: [], before: 'other', hasMatched: true, next: [] }

/** Bytes that a pattern does not tell apart. */
interface ByteClasses {
  readonly classOf: Uint8Array
  /** Of each class one byte. */
  readonly byteOf: readonly number[]
  /** Whether the pattern asks where words begin and end. */
  readonly tellsWords: boolean
}

function classesOf(places: readonly Place[]): ByteClasses {
  const tellsWords = places.some((place) => place.kind === 'assertion' && /word/i.test(place.position))
  const sets = new Set<ByteSet>(tellsWords ? [byteSets.word] : [])
  for (const place of places) if (place.kind === 'byte') sets.add(place.set)
  const classOf = new Uint8Array(256)
  let byteOf = [0]
  for (const set of sets) byteOf = divide(classOf, set)
  return { classOf, byteOf, tellsWords }
}

/** Divides classes into bytes in a set and others. Gives one byte of each class. */
function divide(classOf: Uint8Array, set: ByteSet): number[] {
  const numbers = new Map<number, number>()
  const byteOf: number[] = []
  for (let byte = 0; byte < 256; byte++) {
    const kind = 2 * (classOf[byte] ?? 0) + (set.has(byte) ? 1 : 0)
    let number = numbers.get(kind)
    if (number === undefined) {
      number = byteOf.push(byte) - 1
      numbers.set(kind, number)
    }
    classOf[byte] = number
  }
  return byteOf
}
