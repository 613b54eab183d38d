import type { VerificationKeys } from '../keys/derive.ts'

/** Where a sealed chunk lies in the bytes that are verified. */
export interface SealedPlace {
  readonly id: Uint8Array
  readonly offset: number
  readonly lengthBytes: number
}

/** A patched chunk: what it is named, and which of the places hold what it is made of. */
export interface PatchedPlace {
  readonly name: Uint8Array
  readonly base: number
  readonly patch: number
}

/** Some sealed chunks, for a thread; the memory of the bytes goes with them, unless threads share it. */
export interface VerifyJob {
  readonly number: number
  readonly bytes: Uint8Array
  readonly places: readonly SealedPlace[]
  /** When it is there, only these are looked at: whether base and patch give what they are named. */
  readonly patched?: readonly PatchedPlace[]
  readonly keys: VerificationKeys
  readonly chunkSizeBytes: number
}

/** What the thread answers: the indexes of the places whose chunks are damaged, or of those of `patched` that are wrong; or a sentence about its own failure. */
export type VerifyAnswer =
  | { readonly number: number; readonly damaged: readonly number[] }
  | { readonly number: number; readonly failure: string }
