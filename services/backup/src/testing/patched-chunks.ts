import assert from 'node:assert/strict'
import { idSizeBytes, patchedEntrySizeBytes, setBit, type VolumeDescription } from '@palisade/agent-protocol'
import { isAllZero, makePatch, nameChunk, patchMapBytes, patchPieces } from '@palisade/vault'
import type { FakeAgent, NamedChunk } from './fake-agent.ts'

/** A volume that is uploaded as one that was changed. */
export interface PatchedUpload {
  /** The names of all chunks. */
  readonly ids: Buffer
  /** What a commit says of the patched ones. */
  readonly table: Buffer
}

/**
 * Uploads a volume, and of chunks that were changed since what it was before only patches: those that were not zeros and are none, and are
 * whole ones.
 */
export async function uploadPatched(
  agent: FakeAgent,
  backupId: string,
  before: Buffer,
  now: Buffer,
): Promise<PatchedUpload> {
  const { keys, chunkSizeBytes } = await agent.keys()
  const stored = Buffer.from(now)
  const patches: NamedChunk[] = []
  const entries: { position: number; id: Buffer }[] = []
  for (let position = 0; (position + 1) * chunkSizeBytes <= now.length; position++) {
    const start = position * chunkSizeBytes
    const [base, chunk] = [before, now].map((volume) => volume.subarray(start, start + chunkSizeBytes))
    assert.ok(base && chunk)
    if (chunk.equals(base) || isAllZero(base) || isAllZero(chunk)) continue
    stored.set(base, start)
    const plaintext = makePatch(chunk, changedPieces(base, chunk))
    patches.push({ id: nameChunk(plaintext, keys.naming), plaintext })
    entries.push({ position, id: nameChunk(chunk, keys.naming) })
  }
  const { ids } = await agent.upload(backupId, stored)
  await agent.uploadMissing(backupId, patches)
  const table = Buffer.alloc(patches.length * patchedEntrySizeBytes)
  for (const [entry, { position, id }] of entries.entries()) {
    const at = entry * patchedEntrySizeBytes
    table.writeUInt32LE(position, at)
    ids.copy(table, at + 4, position * idSizeBytes, (position + 1) * idSizeBytes)
    table.set(patches[entry]?.id ?? assert.fail(), at + 4 + idSizeBytes)
    ids.set(id, position * idSizeBytes)
  }
  return { ids, table }
}

function changedPieces(base: Buffer, chunk: Buffer): Buffer {
  const map = Buffer.alloc(patchMapBytes)
  const pieceSizeBytes = chunk.length / patchPieces
  for (let piece = 0; piece < patchPieces; piece++) {
    const [from, to] = [piece * pieceSizeBytes, (piece + 1) * pieceSizeBytes]
    if (chunk.compare(base, from, to, from, to) !== 0) setBit(map, piece)
  }
  return map
}

/** Commits a backup of which some chunks were uploaded as patches. @param more further members of the commit */
export function commitPatched(
  agent: FakeAgent,
  backupId: string,
  { ids, table }: PatchedUpload,
  volume: VolumeDescription,
  more: object = {},
): Promise<Response> {
  const counts = {
    chunkCount: ids.length / idSizeBytes,
    patchedCount: table.length / patchedEntrySizeBytes,
  }
  return agent.commit(backupId, Buffer.concat([ids, table]), volume, { ...counts, ...more })
}

/** Does a whole backup that the server has asked for, of a volume that was something else before. */
export async function backUpPatched(
  agent: FakeAgent,
  backupId: string,
  before: Buffer,
  now: Buffer,
  volume: VolumeDescription,
): Promise<number> {
  const uploaded = await uploadPatched(agent, backupId, before, now)
  assert.ok(uploaded.table.length > 0)
  return finishPatched(agent, backupId, uploaded, { ...volume, capacityBytes: now.length })
}

/** Commits what was uploaded, and ends the backup. */
export async function finishPatched(
  agent: FakeAgent,
  backupId: string,
  uploaded: PatchedUpload,
  volume: VolumeDescription,
): Promise<number> {
  const reply = await commitPatched(agent, backupId, uploaded, volume)
  assert.equal(reply.status, 200, await reply.clone().text())
  const { revisionId } = (await reply.json()) as { revisionId: number }
  await agent.finish('backup', backupId, { state: 'SUCCESS', revisionId })
  return revisionId
}

/** The content of a volume of which some bytes of these chunks are changed. */
export function changedIn(before: Buffer, chunkSizeBytes: number, positions: readonly number[]): Buffer {
  const now = Buffer.from(before)
  for (const position of positions) {
    for (let at = 100 + position; at < chunkSizeBytes; at += 90_001) {
      const place = position * chunkSizeBytes + at
      if (place < now.length) now[place] = (now[place] ?? 0) ^ 0x55
    }
  }
  return now
}
