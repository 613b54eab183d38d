import type { TestContext } from 'node:test'

/** Counts the threads that this process starts from now on until the test ends. @returns how many there were so far */
export function countThreads(t: TestContext): () => number {
  let started = 0
  const count = () => started++
  process.on('worker', count)
  t.after(() => process.off('worker', count))
  return () => started
}
