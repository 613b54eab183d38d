import type { VerificationKeys } from '../keys/derive.ts'

/** Where a sealed chunk lies in the bytes that are verified. */
export interface SealedPlace {
  readonly id: Uint8Array
  readonly offset: number
  readonly lengthBytes: number
}

/** Some sealed chunks, for the thread; the memory of the bytes goes with them. */
export interface VerifyJob {
  readonly number: number
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly places: readonly SealedPlace[]
  readonly keys: VerificationKeys
  readonly chunkSizeBytes: number
}

/** What the thread answers: the indexes of the places whose chunks are damaged, or a sentence about its own failure. */
export type VerifyAnswer =
  | { readonly number: number; readonly damaged: readonly number[] }
  | { readonly number: number; readonly failure: string }
