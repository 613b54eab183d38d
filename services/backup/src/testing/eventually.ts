import { setTimeout } from 'node:timers/promises'

/**
 * Looks again and again until what is looked for is there.
 *
 * @throws the last failure of `look` when ten seconds have passed
 */
export async function eventually<T>(look: () => Promise<T>): Promise<T> {
  const end = Date.now() + 10_000
  for (;;) {
    try {
      return await look()
    } catch (error) {
      if (Date.now() > end) throw error
      await setTimeout(20)
    }
  }
}
