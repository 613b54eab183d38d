import { setFlagsFromString } from 'node:v8'

/**
 * Makes V8 finish a regular expression that has gone back 50,000 times with its breadth-first engine, whose time is linear
 * in the value. The flag holds for the whole process and for every expression that is compiled after it. V8 cannot do so
 * for look-ahead, back-references, the flag `i` and counted repetitions that multiply to more than 16.
 */
export function boundRegExpTime(): void {
  setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks')
}
