import type { Clock, HttpService, Log, Passwords, Store } from '@palisade/platform'
import type { AwarenessConfiguration } from './configuration.ts'

/** What the awareness service stands on. */
export interface AwarenessServiceDependencies {
  readonly configuration: AwarenessConfiguration
  readonly store: Store
  readonly passwords: Passwords
  readonly clock: Clock
  readonly log: Log
  /** 32 bytes that only this installation knows. */
  readonly key: Buffer
  /** Where files of the service's own may lie. */
  readonly dataDirectory: string
}

export async function createAwarenessService(deps: AwarenessServiceDependencies): Promise<HttpService> {
  throw new Error(`not there yet: ${deps.dataDirectory}`)
}
