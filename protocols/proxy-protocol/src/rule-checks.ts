import type { SnapshotProfiles } from './checks.ts'
import type { SnapshotCookieSecurity } from './cookies.ts'
import type { SnapshotJsonProfile } from './json-profiles.ts'

/** What requests that a content rule takes are judged by, where that is not what the service says. */
export interface SnapshotRuleChecks {
  /** `passive`: what is found is logged; `active`: it is blocked as well. */
  readonly mode: 'passive' | 'active'
  /** Present when it is not the policy of the service. */
  readonly own?: SnapshotOwnPolicy
}

/** A policy, with what services say that depends on it. Absent members are nothing, whatever the service says. */
export interface SnapshotOwnPolicy {
  /** The digest of the policy. */
  readonly policy: string
  readonly cookieSecurity?: SnapshotCookieSecurity
  readonly profiles?: SnapshotProfiles
  readonly jsonProfiles?: readonly SnapshotJsonProfile[]
}
