import { ChunkList } from '../chunk/chunk-list.ts'
import { assertSealedForm, isSealedEndToEnd } from '../chunk/sealed-chunk.ts'
import { VaultFailure } from '../failure.ts'
import type { VerificationKeys } from '../keys/derive.ts'
import type { ChunkVerifier } from '../verify/chunk-verifier.ts'

/** The id of a chunk that is to be stored, in a list of its own. @throws VaultFailure `damaged`, `invalid-argument` */
export function idToAdd(id: Uint8Array, sealed: Uint8Array, chunkSizeBytes: number): ChunkList {
  assertSealedForm(id, sealed, chunkSizeBytes)
  const ids = new ChunkList(Uint8Array.from(id))
  if (!ids.isZero(0)) return ids
  throw new VaultFailure('invalid-argument', 'the zero id stands for a zero chunk and is not stored')
}

/**
 * Opens a sealed chunk, in another thread; of one that is sealed end to end the mark is compared.
 *
 * @throws VaultFailure `damaged` when it does not have the content that its id names
 */
export async function assertNamed(
  domain: {
    readonly verifier: ChunkVerifier
    readonly keys: VerificationKeys
    readonly chunkSizeBytes: number
  },
  ids: ChunkList,
  sealed: Uint8Array,
): Promise<void> {
  const place = { id: ids.id(0), offset: 0, lengthBytes: sealed.length }
  // Memory that threads do not share would be given away.
  const bytes = sealed.buffer instanceof SharedArrayBuffer ? sealed : Uint8Array.from(sealed)
  const damaged = await domain.verifier.damaged(bytes, [place], domain.keys, domain.chunkSizeBytes)
  if (damaged.length === 0) return
  const what = isSealedEndToEnd(sealed) ? 'does not have the mark' : 'does not have the content'
  throw new VaultFailure('damaged', `a chunk ${what} that belongs to its id`)
}
