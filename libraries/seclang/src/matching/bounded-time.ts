/**
 * V8's ordinary engine has no limit of time. What keeps ours bounded:
 *
 * - No pattern is run by it that the linear engine could not take over; the rest is for a machine that counts its
 *   steps (pcre/machine.ts).
 * - After 50,000 steps back V8 changes to its linear engine. It does not count all of them: `.*x` tries every rest of
 *   the value without it, in quadratic time.
 * - So over long values a pattern with unlimited repetitions is run by the linear engine from the start. That takes up
 *   to 2 µs a byte, where the ordinary one would take minutes; over ordinary text it is much slower, hence only there.
 * - Before that a recognizer (pcre/recognizer.ts) sorts out most values that do not match, in some nanoseconds a byte.
 */
import { setFlagsFromString } from 'node:v8'

/** From here on quadratic time would be felt. */
export const longValueLength = 4096

/**
 * Makes V8 change to its linear engine after too many steps back, and know the flag `l`, which asks for that engine. Holds
 * for the whole process, for every expression compiled from now on.
 */
export function boundRegExpTime(): void {
  setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks')
  setFlagsFromString('--enable-experimental-regexp-engine')
}
