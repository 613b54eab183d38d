import type { Log } from '@palisade/log'
import type { Clock } from './clock.ts'
import type { Store } from './database/store.ts'
import type { Passwords } from './secrets/passwords.ts'

/** What the server gives every service; each names what it needs of it. */
export interface ServiceFoundation {
  readonly store: Store
  readonly passwords: Passwords
  readonly clock: Clock
  /** By which what is old is deleted for good, see `AgingClock`; the clock when left out. */
  readonly agingClock?: Clock
  readonly log: Log
  /** 32 bytes that only this installation knows. */
  readonly key: Buffer
  /** The file that the configuration comes from, as messages call it; null where there is none. */
  readonly configurationFile: string | null
  /** Where files of the service's own may lie. */
  readonly dataDirectory: string
}
