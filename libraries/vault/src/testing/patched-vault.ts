import assert from 'node:assert/strict'
import type { SealingKeys } from '../chunk/sealed-chunk.ts'
import type { StorageBackend } from '../storage/backend.ts'
import { createVault } from '../vault/open-vault.ts'
import type { RevisionReader } from '../vault/revision-reader.ts'
import type { Vault } from '../vault/vault.ts'
import { noise } from './noise.ts'
import { backUpPatched, changePieces } from './patched-volume.ts'
import { backUp, exampleVolume } from './volume.ts'

export const key = { bytes: noise('key', 32) }
export const domain = 'acme/0001'
export const chunkSizeBytes = 4096
export const packSizeBytes = 16_000

/** Whole chunks that are no zeros. */
export const positions = [0, 1, 3, 4, 9, 15, 27]
/** What is changed beyond them, too much for a patch. */
export const rewritten = [12, 16]
export const earlier = exampleVolume('a', chunkSizeBytes, 29)
export const changedVolume = changeOf(earlier, 'b')

/** The volume with some pieces of each chunk that is to be patched changed, and some chunks as a whole. */
export function changeOf(volume: Buffer, seed: string): Buffer {
  const change = changePieces(volume, chunkSizeBytes, seed, (position) =>
    positions.includes(position) ? 1 + (position % 5) : 0,
  )
  for (const position of rewritten)
    noise(`${seed} ${position}`, chunkSizeBytes).copy(change, position * chunkSizeBytes)
  return change
}

export const chunkOf = (volume: Buffer, position: number) =>
  volume.subarray(position * chunkSizeBytes, (position + 1) * chunkSizeBytes)

/** A vault with the earlier volume as revision 1, and the changed one, patched over it, as revision 2. */
export async function newPatchedVault(backend: StorageBackend, keysOf?: (vault: Vault) => SealingKeys) {
  const vault = await createVault({ backend, key, chunkSizeBytes, packSizeBytes })
  await backUp(vault, domain, '1', earlier, keysOf?.(vault))
  await backUpPatched(vault, domain, '2', { earlier, volume: changedVolume, positions }, keysOf?.(vault))
  return vault
}

export async function withReader<Result>(
  vault: Vault,
  revision: string,
  act: (reader: RevisionReader) => Promise<Result>,
): Promise<Result> {
  const reader = await vault.openRevision(domain, revision)
  try {
    return await act(reader)
  } finally {
    reader.close()
  }
}

export function misfitsOf(vault: Vault, revision: string): Promise<number[]> {
  return withReader(vault, revision, async (reader) => {
    const positions: number[] = []
    for (const portion of reader.patchedPortions(0, reader.content.count, 10_000)) {
      positions.push(...(await reader.misfits(portion)))
    }
    return positions
  })
}

/** Flips one bit of the sealed chunk that is at a place of what a revision has stored. */
export async function damageChunk(
  backend: StorageBackend,
  vault: Vault,
  revision: string,
  place: number,
): Promise<string> {
  return withReader(vault, revision, async (reader) => {
    const [run] = reader.runs([place])
    assert.ok(run)
    const content = Buffer.alloc((await backend.sizeBytes(run.object)) ?? 0)
    await backend.read(run.object, 0, content)
    const at = run.offset + (run.chunks[0]?.offset ?? 0) + 20
    content[at] = (content[at] ?? 0) ^ 8
    await backend.put(run.object, content)
    return run.object
  })
}
