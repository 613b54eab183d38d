import { idSizeBytes } from '@palisade/agent-protocol/wire'
import { openChunk } from '@palisade/vault'
import type { ProtocolServer } from './protocol-server.ts'

/** The bytes of a revision of a whole image, opened chunk by chunk as they lie on the server. */
export function revisionContent(server: ProtocolServer, revisionId: number): Buffer {
  const revision = server.revisions.get(revisionId)
  if (revision === undefined) throw new Error(`there is no revision ${revisionId}`)
  const { ids, metadata } = revision
  const { chunkSizeBytes, chunkCount, volume } = metadata
  const into = Buffer.alloc(chunkSizeBytes)
  const content = Buffer.alloc(chunkCount * chunkSizeBytes)
  for (let index = 0; index < chunkCount; index++) {
    const id = ids.subarray(index * idSizeBytes, (index + 1) * idSizeBytes)
    if (id.every((byte) => byte === 0)) continue
    const sealed = server.chunks.get(id.toString('hex'))
    if (sealed === undefined) throw new Error(`chunk ${index} of revision ${revisionId} is not stored`)
    content.set(openChunk(id, sealed, server.keys, { into }), index * chunkSizeBytes)
  }
  return content.subarray(0, volume.capacityBytes)
}
