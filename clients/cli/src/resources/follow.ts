import { setTimeout as wait } from 'node:timers/promises'
import type { Item } from '../readable.ts'
import type { ResourceClient } from './resource-client.ts'

const pollMs = 2000

/** A transaction that began earlier may be seen later than others by so much. */
const overlapMs = 10_000

/**
 * Items as they are added, from a moment on, until nobody asks any more.
 *
 * @param query filters; `from` is the moment, now when left out
 * @param at the member with the moment of an item, by which the listing can be ordered
 */
export async function* follow(
  client: ResourceClient,
  query: Readonly<Record<string, string>>,
  { id, at }: { readonly id: string; readonly at: string },
): AsyncGenerator<Item, never, undefined> {
  let from = query.from ?? new Date().toISOString()
  let latest = Date.parse(from)
  const begin = latest
  let listed = new Map<unknown, number>()
  for (;;) {
    for await (const item of client.list({ ...query, from, order: at })) {
      if (listed.has(item[id])) continue
      const moment = Date.parse(String(item[at]))
      listed.set(item[id], moment)
      latest = Math.max(latest, moment)
      yield item
    }
    const next = Math.max(begin, latest - overlapMs)
    from = new Date(next).toISOString()
    listed = new Map([...listed].filter(([, moment]) => moment >= next))
    await wait(pollMs)
  }
}
