import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCode } from '@palisade/private-files'
import type { ChunkGeometry } from '../chunks/chunk-range.ts'
import { differ, type Extents } from '../chunks/extents.ts'
import { openExtentMap } from '../system-calls/extent-map.ts'
import { type FileIdentity, identifyFile } from './file-identity.ts'
import { digestOf, readExtents } from './kept-files.ts'
import { type BackupBinding, filesOf, type KeptRecord, reasonAgainst } from './kept-record.ts'
import { unchangedExtents } from './unchanged-extents.ts'
import { UnchangedPieces } from './unchanged-pieces.ts'

/** A backup that is to go on from a kept copy. */
export interface PresentBackup {
  readonly binding: BackupBinding
  /** Leads to the kept copy, which is open: also when another file takes its name. */
  readonly beforePath: string
  /** The image as it is read now: a copy that shares its blocks. */
  readonly path: string
  readonly geometry: ChunkGeometry
  /** What of the volume its file system has in use. */
  readonly inUse: Extents
}

/**
 * Which chunks of a volume, and which pieces of others, are as they were in the revision of a kept copy: all their blocks are the same,
 * and the same of them is in use.
 *
 * @param directory where the files of the record lie
 * @returns or why nothing can be said; can follow the words "change tracking is not used: the kept copy cannot be used: "
 * @throws Error when the system does not tell what is needed
 */
export async function findUnchangedChunks(
  record: KeptRecord,
  { binding, beforePath, path, geometry, inUse }: PresentBackup,
  directory: string,
): Promise<UnchangedPieces | { readonly why: string }> {
  const against = async () => reasonAgainst(record, binding, await identifyIfThere(beforePath))
  const before = await against()
  if (before !== undefined) return { why: before }
  if ((await stat(path)).dev !== (await stat(beforePath)).dev) return { why: 'it is on another file system' }
  for (const { name, sha256 } of filesOf(record)) {
    const file = join(directory, name)
    if ((await identifyIfThere(file)) === undefined || (await digestOf(file)) !== sha256)
      return { why: 'what is known of it is damaged' }
  }
  const unchanged = new UnchangedPieces(geometry)
  await unchanged.addWithin(unchangedInFiles(beforePath, path, binding))
  await unchanged.removeTouched(differ(readExtents(join(directory, record.inUse.name)), inUse)())
  const after = await against()
  return after === undefined ? unchanged : { why: after }
}

async function* unchangedInFiles(before: string, now: string, range: BackupBinding) {
  const mapBefore = await openExtentMap(before)
  try {
    const mapNow = await openExtentMap(now)
    try {
      yield* unchangedExtents(mapBefore, mapNow, range)
    } finally {
      await mapNow.close()
    }
  } finally {
    await mapBefore.close()
  }
}

async function identifyIfThere(path: string): Promise<FileIdentity | undefined> {
  try {
    return await identifyFile(path)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}
