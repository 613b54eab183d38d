/**
 * Runs `work` for all items, at most `limit` at once. Rejects with the first failure, after what was under way has
 * ended; nothing new is begun then.
 */
export async function inParallel<Item>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0
  let failed = false
  const lane = async () => {
    while (next < items.length && !failed) {
      const item = items[next++]
      if (item === undefined) continue
      await work(item).catch((error: unknown) => {
        failed = true
        throw error
      })
    }
  }
  const outcomes = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, lane))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}
