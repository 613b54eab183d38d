import type { Log, Store } from '@palisade/platform'
import type { Kysely } from 'kysely'
import type { FirewallTables } from '../tables.ts'

/** How often a server asks whether another one has changed the configuration, in case no notification of it arrives. */
const followMs = 1000

const topic = 'firewall configuration'

/** Tells the other servers of a version once the transaction that makes it has succeeded. */
export function announceVersion(
  { notifications }: Store,
  transaction: Kysely<FirewallTables>,
  version: number,
): Promise<void> {
  return notifications.send(transaction, topic, String(version))
}

/**
 * Takes over what other servers change: when they announce it, and else within a second.
 *
 * @param deps.version that of the copy
 * @param deps.refresh brings the copy up to date; never called while it still does. Its failure is logged once, until it succeeds
 * @returns ends it
 */
export function followVersions({
  store,
  log,
  version,
  refresh,
}: {
  readonly store: Store
  readonly log: Log
  readonly version: () => number
  readonly refresh: () => Promise<unknown>
}): () => void {
  let isFailing = false
  let isRefreshing = false
  let isToBeDoneAgain = false

  async function follow(): Promise<void> {
    isToBeDoneAgain = isRefreshing
    if (isRefreshing) return
    isRefreshing = true
    do {
      isToBeDoneAgain = false
      try {
        await refresh()
        isFailing = false
      } catch (error) {
        if (!isFailing) log.error({ err: error }, "the configuration's version could not be read")
        isFailing = true
      }
    } while (isToBeDoneAgain)
    isRefreshing = false
  }

  const stopListening = store.notifications.listen(topic, {
    heard: (announced) => {
      if (Number(announced) > version()) void follow()
    },
    missed: () => void follow(),
  })
  const timer = setInterval(() => void follow(), followMs).unref()
  return () => {
    stopListening()
    clearInterval(timer)
  }
}
