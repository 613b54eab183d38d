import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type ByteSource, openFile } from '../byte-source.ts'
import type { Extent, Region } from '../extent.ts'
import { writeSparse } from './disk-bytes.ts'

/** What a disk holds: random bytes in some places, zeros elsewhere; as a raw file for other tools too. */
export interface SparseContent {
  readonly path: string
  readonly source: ByteSource
  readonly data: readonly Extent[]
}

export async function sparseContent(
  t: TestContext,
  directory: string,
  sizeBytes: number,
  data: readonly Extent[],
): Promise<SparseContent> {
  const path = join(directory, `${sizeBytes}.raw`)
  const regions: Region[] = data.map((extent) => ({
    offsetBytes: extent.offsetBytes,
    bytes: randomBytes(extent.sizeBytes),
  }))
  await writeSparse(path, sizeBytes, regions)
  const source = await openFile(path)
  t.after(() => source.close())
  return { path, source, data }
}
