import type { Automaton } from './automaton.ts'

/** Shorter values are read in one go. */
const lanesLengthMin = 128

/** The bytes of the value that is read; one block for all, as no reading outlasts the next. */
let scratch = Buffer.alloc(0x1_0000)

/**
 * Reads a value through an automaton and tells each accepting state that it comes to, in no particular order and some of them
 * several times: the states that one pass from the beginning would come to, unless their whole text was read before.
 *
 * A step has to wait for the one before it, which takes most of the time. So long values are read in four lanes side by side. Each
 * begins so far before its part that no word is missed that ends in it. Pages of 100 KiB take a third longer in one lane
 * (docs/decisions/rules-prefilter-lanes.md).
 */
export function readInLanes(automaton: Automaton, value: string, onAccepting: (state: number) => void): void {
  const { length } = value
  const overlap = automaton.wordLengthMax - 1
  if (length < Math.max(lanesLengthMin, 8 * overlap)) {
    readRest(automaton, value, 0, 0, onAccepting)
    return
  }
  if (scratch.length < length) scratch = Buffer.alloc(2 * length)
  scratch.write(value, 0, length, 'latin1')
  // The first lane's part is longer by the overlap, so that all lanes take the same number of steps.
  const step = Math.floor((length - overlap) / 4)
  const last = readFour(automaton, scratch, step, step + overlap, onAccepting)
  readRest(automaton, value, 4 * step + overlap, last, onAccepting)
}

/**
 * Reads four parts of a value side by side. A function of its own: as a part of a larger one, V8 makes slower code of it.
 *
 * @param step how far the parts begin from each other
 * @param steps how long each part is
 * @returns the state at the end of the last
 */
function readFour(
  { classOf, transitions, accepting }: Automaton,
  bytes: Buffer,
  step: number,
  steps: number,
  onAccepting: (state: number) => void,
): number {
  let one = 0
  let two = 0
  let three = 0
  let four = 0
  const [second, third, fourth] = [step, 2 * step, 3 * step]
  for (let at = 0; at < steps; at++) {
    one = transitions[one + (classOf[bytes[at] ?? 0] ?? 0)] ?? 0
    two = transitions[two + (classOf[bytes[at + second] ?? 0] ?? 0)] ?? 0
    three = transitions[three + (classOf[bytes[at + third] ?? 0] ?? 0)] ?? 0
    four = transitions[four + (classOf[bytes[at + fourth] ?? 0] ?? 0)] ?? 0
    if (one >= accepting) onAccepting(one)
    if (two >= accepting) onAccepting(two)
    if (three >= accepting) onAccepting(three)
    if (four >= accepting) onAccepting(four)
  }
  return four
}

/** Reads a value from a place on to its end. @param state what has come before it */
function readRest(
  { classOf, transitions, accepting }: Automaton,
  value: string,
  from: number,
  state: number,
  onAccepting: (state: number) => void,
): void {
  let reached = state
  for (let at = from; at < value.length; at++) {
    reached = transitions[reached + (classOf[value.charCodeAt(at) & 0xff] ?? 0)] ?? 0
    if (reached >= accepting) onAccepting(reached)
  }
}
