import assert from 'node:assert/strict'
import { type ChunkFrame, readPatchedFrame } from '@palisade/agent-protocol'
import { applyPatch, nameChunk, openChunk, type SealingKeys } from '@palisade/vault'

/** What a chunk of a download holds; it has to be what it is named. */
export function openFrame({ id, sealed }: ChunkFrame, keys: SealingKeys, chunkSizeBytes: number): Buffer {
  const limit = { sizeMaxBytes: chunkSizeBytes }
  const patched = readPatchedFrame(sealed)
  if (patched === undefined) return Buffer.from(openChunk(id, sealed, keys, limit))
  const { base, patch } = patched
  const content = Buffer.from(openChunk(base.id, base.sealed, keys, limit))
  applyPatch(content, openChunk(patch.id, patch.sealed, keys, limit))
  assert.ok(nameChunk(content, keys.naming).equals(id))
  return content
}
