import type { Claim, Log, Store } from '@palisade/platform'

const theOther = 'another Palisade server on this database serves its backups'
const remedy =
  'only one of them may: stop the other one, or say backup.serve: false in the configuration of one of them'

/**
 * Makes this the server that has the backups of its database. Two that have them would each hold a vault of its own and end what
 * the other one is at.
 *
 * @param waitMs how long another server is waited for, instead of as long as one that has died may seem to live
 * @throws Error that names the member of the configuration when another server has them
 */
export async function claimBackups(store: Store, log: Log, waitMs?: number): Promise<Claim> {
  const claim = await store.claim({
    name: 'backups',
    onWait: () => log.warn(`${theOther}, or did until a moment ago: waiting for its end; ${remedy}`),
    onLost: () => log.error(`${theOther} since the connection to PostgreSQL was lost; ${remedy}`),
    ...(waitMs === undefined ? {} : { waitMs }),
  })
  if (claim === undefined) throw new Error(`${theOther}, and ${remedy}`)
  return claim
}
