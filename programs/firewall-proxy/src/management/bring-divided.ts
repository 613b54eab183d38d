import { RefusedByManagement } from './management-link.ts'

/**
 * Brings items to the management in one message. A message that it would never take is brought in halves, until what is wrong in it
 * is alone and can be given up: clients decide what is told, and none of them may keep the rest from being told.
 *
 * @param bring sends one message; rejects with a {@link RefusedByManagement}, or when the management cannot be reached
 * @param onFailure is told each time that a message did not arrive and is not divided, and whether its one item is given up
 * @returns those that wait for the next time: the management was away from the first of them on
 */
export async function bringDivided<Item>(
  items: readonly Item[],
  bring: (items: readonly Item[]) => Promise<void>,
  onFailure: (error: unknown, isGivenUp: boolean) => void,
): Promise<readonly Item[]> {
  try {
    await bring(items)
    return []
  } catch (error) {
    const isForGood = error instanceof RefusedByManagement && error.isForGood
    if (!isForGood || items.length === 1) {
      onFailure(error, isForGood)
      return isForGood ? [] : items
    }
  }
  const middle = Math.ceil(items.length / 2)
  const later = items.slice(middle)
  const waiting = await bringDivided(items.slice(0, middle), bring, onFailure)
  return waiting.length > 0 ? [...waiting, ...later] : bringDivided(later, bring, onFailure)
}
