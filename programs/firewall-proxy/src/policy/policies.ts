import type { ProxySnapshot } from '@palisade/proxy-protocol'
import { Policy } from './policy.ts'

/** The policies of the newest snapshot, each made ready once however many services share it, and kept while it stays the same. */
export class Policies {
  #byDigest = new Map<string, Policy>()

  /** Takes those of a snapshot in the place of those before. */
  take(policies: ProxySnapshot['policies'] = {}): void {
    this.#byDigest = new Map(
      Object.entries(policies).map(([digest, policy]) => [
        digest,
        this.#byDigest.get(digest) ?? new Policy(policy),
      ]),
    )
  }

  /** As they were taken. */
  get snapshots(): NonNullable<ProxySnapshot['policies']> {
    return Object.fromEntries(
      Array.from(this.#byDigest).flatMap(([digest, { snapshot }]) => (snapshot ? [[digest, snapshot]] : [])),
    )
  }

  /** The one of this digest; of none, one that refuses everything that is found. */
  of(digest: string | undefined): Policy {
    return (digest === undefined ? undefined : this.#byDigest.get(digest)) ?? new Policy(undefined)
  }
}
