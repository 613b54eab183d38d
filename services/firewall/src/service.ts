import type { Clock, HttpService, Log, Passwords, Store } from '@palisade/platform'
import type { FirewallConfiguration } from './configuration.ts'

/** What the firewall service stands on. */
export interface FirewallServiceDependencies {
  readonly configuration: FirewallConfiguration
  readonly store: Store
  readonly passwords: Passwords
  readonly clock: Clock
  readonly log: Log
  /** 32 bytes that only this installation knows. */
  readonly key: Buffer
  /** Where files of the service's own may lie. */
  readonly dataDirectory: string
}

export async function createFirewallService(deps: FirewallServiceDependencies): Promise<HttpService> {
  throw new Error(`not there yet: ${deps.dataDirectory}`)
}
