/** A worker thread that writes its share of a disk's data: every `stride`-th extent from the `first` on. */
import { openSync, readSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import type { DiskPlan } from '../disk/disk-plan.ts'
import type { Extent } from '../extent.ts'
import { writeDiskData } from '../write/disk-file.ts'

export interface WriteShare {
  readonly plan: DiskPlan
  readonly fd: number
  readonly contentPath: string
  readonly data: readonly Extent[]
  readonly first: number
  readonly stride: number
}

const { plan, fd, contentPath, data, first, stride }: WriteShare = workerData
const content = openSync(contentPath, 'r')
for (let index = first; index < data.length; index += stride) {
  const extent = data[index]
  if (extent === undefined) continue
  const bytes = Buffer.alloc(extent.sizeBytes)
  readSync(content, bytes, 0, extent.sizeBytes, extent.offsetBytes)
  writeDiskData(fd, plan, extent.offsetBytes, bytes)
}
