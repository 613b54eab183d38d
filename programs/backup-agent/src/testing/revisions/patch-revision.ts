import { randomBytes } from 'node:crypto'
import { patchedEntrySizeBytes, setBit } from '@palisade/agent-protocol/wire'
import {
  makePatch,
  nameChunk,
  namePatch,
  openChunk,
  patchMapBytes,
  patchPieces,
  sealChunk,
} from '@palisade/vault'
import type { ProtocolServer } from '../agent/protocol-server.ts'
import { chunksOf, type PatchedIds, patchedOf } from './stored-revision.ts'

/**
 * Has a server keep chunks of full length of a revision as patches from now on, over bases that nothing else has. The content stays what it is.
 *
 * @param every how many of them there are for each that is to be patched
 */
export function patchRevision(server: ProtocolServer, revisionId: number, every = 2): readonly PatchedIds[] {
  const revision = server.revisions.get(revisionId)
  if (revision === undefined) throw new Error(`there is no revision ${revisionId}`)
  const { chunkSizeBytes } = revision.metadata
  const { keys, chunks } = server
  const store = (id: Buffer, plaintext: Uint8Array) => {
    chunks.set(id.toString('hex'), Buffer.from(sealChunk(id, plaintext, keys)))
    return id
  }
  const { stored } = chunksOf(revision)
  const entries: Buffer[] = []
  const replaced = new Set<string>()
  for (let position = 0, count = 0; position < stored.length; position++) {
    if (stored.isZero(position)) continue
    const id = stored.id(position)
    const sealed = chunks.get(id.toString('hex')) ?? Buffer.alloc(0)
    const content = openChunk(id, sealed, keys, { sizeMaxBytes: chunkSizeBytes })
    if (content.length < chunkSizeBytes || count++ % every !== 0) continue
    const map = Buffer.alloc(patchMapBytes)
    const base = Buffer.from(content)
    const pieceSizeBytes = chunkSizeBytes / patchPieces
    // From a single piece to half of them, also the first and the last one.
    for (let piece = 0; piece < patchPieces; piece += 2 + (entries.length % patchPieces)) {
      const at = piece % 4 === 0 ? piece : patchPieces - 1 - piece
      setBit(map, at)
      base.set(randomBytes(pieceSizeBytes), at * pieceSizeBytes)
    }
    const entry = Buffer.alloc(patchedEntrySizeBytes)
    entry.writeUInt32LE(position)
    entry.set(store(nameChunk(base, keys.naming), base), 4)
    entry.set(store(namePatch(content, map, keys.naming), makePatch(content, map)), 36)
    entries.push(entry)
    replaced.add(id.toString('hex'))
  }
  const patched = { ...revision, table: Buffer.concat(entries) }
  server.revisions.set(revisionId, patched)
  const needed = chunksOf(patched).stored
  for (let position = 0; position < needed.length; position++) {
    replaced.delete(needed.id(position).toString('hex'))
  }
  for (const name of replaced) chunks.delete(name)
  return patchedOf(patched)
}
