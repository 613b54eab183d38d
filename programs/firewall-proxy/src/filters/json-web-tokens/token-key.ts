import type { KeyObject } from 'node:crypto'

/** A key, ready to verify signatures. */
export interface TokenKey {
  readonly key: KeyObject
  readonly keyId: string | undefined
  /** The only algorithm that it is for. */
  readonly algorithm: string | undefined
}
