import { setFlagsFromString } from 'node:v8'

/**
 * Does work that is done once without V8's optimizing compiler, which would compile, on other threads, what runs ten thousand times in it
 * and then never again. Loading rules takes a third less processor time so. What was optimized before stays, and what runs often
 * later is optimized then.
 *
 * `--no-opt` would do more than that: code of the compiler before it (Maglev) that is made meanwhile asks for no optimization ever after.
 */
export function withoutOptimizing<Result>(work: () => Result): Result {
  setFlagsFromString('--turbo-filter=~')
  try {
    return work()
  } finally {
    setFlagsFromString('--turbo-filter=*')
  }
}
