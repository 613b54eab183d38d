import { Challenges } from '@palisade/acme-challenges'
import { type Attention, type Store, TextSeal, type WatchedQueue } from '@palisade/platform'
import type { LiveConfiguration } from '../changes/live-configuration.ts'
import { AuthorityAccounts } from './authority-accounts.ts'
import type { OrderDependencies } from './certificate-orders.ts'
import { ConfiguredAuthority } from './configured-authority.ts'
import { type CertifiedListener, ListenerCertificates } from './listener-certificates.ts'
import type { PendingChallenges } from './pending-challenges.ts'
import type { RenewalsDependencies } from './renewals.ts'

/** What certificates are obtained with, those of services and those of the program's own listeners. */
export interface CertificateIssuance {
  /** The authority that the configuration names. */
  readonly authority: ConfiguredAuthority
  readonly listenerCertificates: ListenerCertificates
  /** What authorities are to be answered at every listener of this program. */
  readonly challenges: Challenges
  /** What could not be renewed. */
  attention(): Promise<Attention[]>
  /** Which certificates are due. */
  queues(): WatchedQueue[]
  close(): Promise<void>
}

/** The seal of what the store holds of accounts and challenges. */
export function acmeSeal(key: Buffer): TextSeal {
  return new TextSeal(key, 'palisade-firewall/acme')
}

/**
 * Reads the certificates of listeners. No authority is asked before one is named, see {@link ConfiguredAuthority.use}.
 *
 * @param deps.pending is closed with it
 * @param certified listeners of this program whose certificates are obtained by ACME
 */
export async function openIssuance(
  deps: Omit<OrderDependencies, 'settings' | 'accounts' | 'hasOtherServers'> &
    Pick<RenewalsDependencies, 'renewalLookMs'> & {
      readonly configuration: LiveConfiguration
      readonly store: Store
      readonly key: Buffer
      readonly pending: PendingChallenges
    },
  certified: readonly CertifiedListener[],
): Promise<CertificateIssuance> {
  const { key, pending } = deps
  const challenges = new Challenges()
  pending.onChange(() => challenges.take(pending.current()))
  const listenerCertificates = await ListenerCertificates.open(
    { ...deps, seal: new TextSeal(key, 'palisade-firewall/listener-certificates') },
    certified,
  )
  const seal = acmeSeal(key)
  const authority = new ConfiguredAuthority({
    ...deps,
    listenerCertificates,
    seal,
    accounts: new AuthorityAccounts({ ...deps, seal }),
    // A database in the data directory has one server.
    hasOtherServers: deps.store.kind === 'postgres',
  })
  return {
    authority,
    listenerCertificates,
    challenges,
    attention: async () => [...(await authority.attention()), ...(await listenerCertificates.attention())],
    queues: () => [authority.queue, listenerCertificates.queue].filter((queue) => queue !== undefined),
    close: async () => {
      await authority.close()
      await listenerCertificates.close()
      await pending.close()
    },
  }
}
