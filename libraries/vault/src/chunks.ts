/**
 * What is done with single chunks and with files past the system's cache. Threads that move bytes take it from here
 * (`@palisade/vault/chunks`), without the vault itself, of which they would load some seventy files for nothing.
 */
export { nameChunk } from './chunk/chunk-id.ts'
export { openPatched } from './chunk/open-patched.ts'
export {
  applyPatch,
  countPieces,
  isPatchable,
  makePatch,
  namePatch,
  patchLength,
  patchMapBytes,
  patchPieces,
} from './chunk/patch.ts'
export {
  isSealedEndToEnd,
  openChunk,
  type SealingKeys,
  sealChunk,
  sealOverheadBytes,
  unsealChunk,
} from './chunk/sealed-chunk.ts'
export { isAllZero } from './chunk/zero.ts'
export { alignedLength, alignmentBytes, allocateAligned } from './direct-io/aligned-memory.ts'
export { DirectFile } from './direct-io/direct-file.ts'
export { isVaultFailure, VaultFailure, type VaultFailureCode } from './failure.ts'
export type { ChunkKeys } from './keys/derive.ts'
