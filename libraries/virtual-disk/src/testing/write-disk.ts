import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import type { ByteSource } from '../byte-source.ts'
import { readBytes } from '../byte-source.ts'
import type { DiskPlan } from '../disk/disk-plan.ts'
import { beginDiskFile, finishDiskFile, writeDiskData, writeDiskFile } from '../write/disk-file.ts'
import { streamDisk } from '../write/stream-disk.ts'
import type { SparseContent } from './sparse-content.ts'

/** Every way in which this library puts a planned disk into a file; they must all give the same bytes. */
export const writers = { inOrder, outOfOrder, asStream } as const

async function inOrder(path: string, plan: DiskPlan, content: SparseContent): Promise<void> {
  const handle = await open(path, 'w')
  try {
    await writeDiskFile(handle, plan, content.source)
  } finally {
    await handle.close()
  }
}

/** Backwards, and in pieces that respect no block. */
async function outOfOrder(path: string, plan: DiskPlan, content: SparseContent): Promise<void> {
  const handle = await open(path, 'w')
  try {
    await beginDiskFile(handle, plan)
    for (const { offsetBytes, sizeBytes } of content.data.toReversed()) {
      const bytes = await readBytes(content.source, offsetBytes, sizeBytes)
      const half = Math.floor(sizeBytes / 2)
      writeDiskData(handle.fd, plan, offsetBytes + half, bytes.subarray(half))
      writeDiskData(handle.fd, plan, offsetBytes, bytes.subarray(0, half))
    }
    await finishDiskFile(handle, plan)
  } finally {
    await handle.close()
  }
}

async function asStream(path: string, plan: DiskPlan, content: SparseContent): Promise<void> {
  const stream = createWriteStream(path)
  await streamDisk(plan, slowly(content.source), async (bytes) => {
    await new Promise<void>((resolve, reject) => {
      stream.write(bytes, (error) => (error ? reject(error) : resolve()))
    })
  })
  stream.end()
  await once(stream, 'close')
}

/** Answers late, so that reads ahead of the sink really are underway beside it. */
function slowly(source: ByteSource): ByteSource {
  return {
    sizeBytes: source.sizeBytes,
    async read(target, position) {
      await setImmediate()
      await source.read(target, position)
    },
  }
}
