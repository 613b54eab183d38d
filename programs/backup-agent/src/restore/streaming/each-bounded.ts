import type { RestoreContext } from '../restore-context.ts'

/**
 * Does something with each item, a few at a time. The first failure ends the others, which are waited for.
 *
 * @param action is given the context with a signal that is also aborted by the failure of another one
 */
export async function eachBounded<Item>(
  items: readonly Item[],
  countMax: number,
  context: RestoreContext,
  action: (item: Item, context: RestoreContext) => Promise<void>,
): Promise<void> {
  const failed = new AbortController()
  const inner = { ...context, signal: AbortSignal.any([context.signal, failed.signal]) }
  const queue = items.values()
  const work = async () => {
    for (const item of queue) {
      inner.signal.throwIfAborted()
      await action(item, inner)
    }
  }
  await Promise.all(
    Array.from({ length: Math.min(countMax, items.length) }, () =>
      work().catch((error) => failed.abort(error)),
    ),
  )
  inner.signal.throwIfAborted()
}
