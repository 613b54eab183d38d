/**
 * V8's ordinary engine has no limit of time, and the flags of V8 that give it one are the whole process's. So the program decides:
 *
 * With {@link enableLinearRegExpEngine}
 * - No pattern is run by the ordinary engine that the linear engine could not take over; the rest is for a machine that counts its
 *   steps (pcre/machine.ts).
 * - After 50,000 steps back V8 changes to its linear engine. It does not count all of them: `.*x` tries every rest of
 *   the value without it, in quadratic time.
 * - So over long values a pattern with unlimited repetitions is run by the linear engine from the start. That takes up
 *   to 2 µs a byte, where the ordinary one would take minutes; over ordinary text it is much slower, hence only there.
 * - Before that, and before the ordinary engine from 32 bytes on, a recognizer (pcre/recognizer.ts) sorts out most values that do not match,
 *   in some nanoseconds a byte.
 *
 * Without it, the ordinary engine runs no pattern with a repetition: the recognizer says whether there is a match, whatever the length
 * of the value, and the machine where.
 */
import { setFlagsFromString } from 'node:v8'

/**
 * From here on going back and forth, and then the linear engine, would be felt where a body has many such values: 75 line ends take some
 * large patterns half a millisecond, and the linear engine takes 25 µs a byte over them.
 */
export const middleValueLength = 32

/** From here on quadratic time would be felt. */
export const longValueLength = 4096

let isEnabled = false

/**
 * Makes V8 change to its linear engine after too many steps back, and know the flag `l` of regular expressions, which asks for that
 * engine. It holds for the whole process and for every expression that is compiled from now on, also for those of others; it cannot be
 * taken back. To be called when a program starts: patterns and rule sets that are compiled before do without it, and are slower.
 */
export function enableLinearRegExpEngine(): void {
  if (isEnabled) return
  setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks')
  setFlagsFromString('--enable-experimental-regexp-engine')
  isEnabled = true
}

/** Whether {@link enableLinearRegExpEngine} was called. */
export function hasLinearRegExpEngine(): boolean {
  return isEnabled
}
