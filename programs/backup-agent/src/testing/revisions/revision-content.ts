import assert from 'node:assert/strict'
import { applyPatch, type ChunkKeys, nameChunk, openChunk } from '@palisade/vault'
import type { ProtocolServer } from '../agent/protocol-server.ts'
import { chunksOf, patchedOf } from './stored-revision.ts'

/**
 * The bytes of a revision of a whole image, opened chunk by chunk as they lie on the server. Each chunk has to be what it is named.
 *
 * @param keys those of the server when left out
 */
export function revisionContent(
  server: ProtocolServer,
  revisionId: number,
  keys: ChunkKeys = server.keys,
): Buffer {
  const revision = server.revisions.get(revisionId)
  if (revision === undefined) throw new Error(`there is no revision ${revisionId}`)
  const { chunkSizeBytes, chunkCount, volume } = revision.metadata
  const open = (id: Buffer, what: string) => {
    const sealed = server.chunks.get(id.toString('hex'))
    if (sealed === undefined) throw new Error(`${what} of revision ${revisionId} is not stored`)
    return Buffer.from(openChunk(id, sealed, keys, { sizeMaxBytes: chunkSizeBytes }))
  }
  const chunks = chunksOf(revision)
  const patched = new Map(patchedOf(revision).map((chunk) => [chunk.position, chunk]))
  const content = Buffer.alloc(chunkCount * chunkSizeBytes)
  for (let index = 0; index < chunkCount; index++) {
    if (chunks.stored.isZero(index)) continue
    const opened = open(chunks.stored.id(index), `chunk ${index}`)
    const patch = patched.get(index)
    if (patch !== undefined) {
      assert.equal(opened.length, chunkSizeBytes, 'a base is a whole chunk')
      applyPatch(opened, open(patch.patch, `the patch of chunk ${index}`))
      assert.ok(
        nameChunk(opened, keys.naming).equals(chunks.nameOf(index)),
        `chunk ${index} of revision ${revisionId} is what it is named`,
      )
    }
    content.set(opened, index * chunkSizeBytes)
  }
  return content.subarray(0, volume.capacityBytes)
}
