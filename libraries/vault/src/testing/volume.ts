import { nameChunk } from '../chunk/chunk-id.ts'
import { ChunkList } from '../chunk/chunk-list.ts'
import { applyPatch } from '../chunk/patch.ts'
import { openChunk, type SealingKeys, sealChunk } from '../chunk/sealed-chunk.ts'
import { isAllZero } from '../chunk/zero.ts'
import { VaultFailure } from '../failure.ts'
import type { ChunkKeys } from '../keys/derive.ts'
import type { Json } from '../revision/revision-head.ts'
import type { BackupSession } from '../vault/backup-session.ts'
import type { RevisionReader } from '../vault/revision-reader.ts'
import type { Vault } from '../vault/vault.ts'
import { noise } from './noise.ts'

/** A volume of some incompressible, some compressible and some zero chunks, the last one short. */
export function exampleVolume(seed: string, chunkSizeBytes: number, chunkCount: number): Buffer {
  const volume = Buffer.alloc(chunkSizeBytes * chunkCount - 512)
  for (let chunk = 0; chunk < chunkCount; chunk++) {
    const start = chunk * chunkSizeBytes
    if (chunk % 3 === 0) noise(`${seed}${chunk}`, chunkSizeBytes).copy(volume, start)
    if (chunk % 3 === 1) volume.subarray(start, start + chunkSizeBytes).fill(`${seed} line ${chunk}\n`)
  }
  return volume
}

/** Does what an agent does: names the chunks of a volume, and seals and adds those that are missing. */
export async function addVolume(
  vault: Vault,
  session: BackupSession,
  domain: string,
  volume: Buffer,
  keys: SealingKeys = vault.chunkKeys(domain),
): Promise<ChunkList> {
  const size = vault.chunkSizeBytes
  const chunks = ChunkList.ofZeros(Math.ceil(volume.length / size))
  const plaintext = (position: number) => volume.subarray(position * size, (position + 1) * size)
  for (let position = 0; position < chunks.length; position++) {
    if (!isAllZero(plaintext(position))) chunks.set(position, nameChunk(plaintext(position), keys.naming))
  }
  await Promise.all(
    session.missing(chunks).map((position) => {
      const id = chunks.id(position)
      return session.add(id, sealChunk(id, plaintext(position), keys))
    }),
  )
  return chunks
}

/** Backs a volume up as one revision. */
export async function backUp(
  vault: Vault,
  domain: string,
  revision: string,
  volume: Buffer,
  keys?: SealingKeys,
  metadata: Json = null,
): Promise<void> {
  const session = await vault.beginBackup(domain)
  const chunks = await addVolume(vault, session, domain, volume, keys)
  await session.commitRevision({
    revision,
    volume: 'disk',
    capacityBytes: volume.length,
    metadata,
    chunks,
  })
}

/** Reads a whole revision back, opening every chunk. */
export async function restore(
  vault: Vault,
  domain: string,
  revision: string,
  keys?: ChunkKeys,
): Promise<Buffer> {
  const reader = await vault.openRevision(domain, revision)
  try {
    return await restoreFrom(vault, domain, reader, keys)
  } finally {
    reader.close()
  }
}

export async function restoreFrom(
  vault: Vault,
  domain: string,
  reader: RevisionReader,
  keys: ChunkKeys = vault.chunkKeys(domain),
): Promise<Buffer> {
  const volume = Buffer.alloc(reader.head.capacityBytes)
  const place = (position: number) =>
    volume.subarray(position * vault.chunkSizeBytes).subarray(0, vault.chunkSizeBytes)
  const { count } = reader.content
  for await (const { run, bytes } of reader.stream(reader.runs(reader.content.plainIn(0, count)))) {
    for (const { position, offset, lengthBytes } of run.chunks) {
      const sealed = bytes.subarray(offset, offset + lengthBytes)
      openChunk(reader.content.nameOf(position), sealed, keys, { into: place(position) })
    }
  }
  for (const portion of reader.patchedPortions(0, count, vault.chunkSizeBytes)) {
    for (const { position, base, patch } of await reader.readPatched(portion)) {
      openChunk(base.id, base.sealed, keys, { into: place(position) })
      applyPatch(
        place(position),
        openChunk(patch.id, patch.sealed, keys, { sizeMaxBytes: vault.chunkSizeBytes }),
      )
      if (nameChunk(place(position), keys.naming).equals(reader.content.nameOf(position))) continue
      throw new VaultFailure('damaged', `patched chunk ${position} has not the content that its name says`)
    }
  }
  return volume
}
