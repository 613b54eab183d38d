/** The judge of what was changed is the kernel's XFS; that of revisions the image. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { volumeIn } from '../testing/revisions/restored-disk.ts'
import { revisionContent } from '../testing/revisions/revision-content.ts'
import { patchedOf } from '../testing/revisions/stored-revision.ts'
import { hasTools, run } from '../testing/tool.ts'
import { withTrackedImage } from '../testing/volumes/tracked-image.ts'

/** Its pieces are as long as the blocks of the file system. */
const chunkSizeBytes = 128 * 4096
const startBytes = 63 * 512
const sizeBytes = 16_001 * 512

test('a partition that begins in the middle of a block, behind the boot code of its disk, is patched and comes back', async (t) => {
  if (!hasTools(t, 'sfdisk')) return
  await withTrackedImage(t, 'xfs', async (bench) => {
    const { server, target } = bench.agent
    server.chunkSizeBytes = chunkSizeBytes
    const path = join(bench.folder, 'disk.img')
    run('truncate', '-s', String(startBytes + sizeBytes + 512), path)
    const table = `label: dos\nstart=63,size=${sizeBytes / 512},type=83,bootable\n`
    run('sh', '-c', `printf '${table}' | sfdisk -q '${path}'`)
    bench.write(startBytes, randomBytes(sizeBytes), path)
    const backUp = async (id: string) => {
      const revision = await server.backUp(id, { path, partition: 1 })
      const stored = server.revisions.get(revision) ?? assert.fail('there is no revision')
      const frameChunks = stored.metadata.volume.frame?.chunkCount ?? assert.fail('there is no frame')
      const patched = patchedOf(stored).map(({ position }) => position - frameChunks)
      // It is cut off at the size of the volume, with the frame before that.
      const volume = revisionContent(server, revision).subarray(frameChunks * chunkSizeBytes)
      assert.ok(volume.equals(volumeOf(path).subarray(0, volume.length)))
      return { revision, patched }
    }
    await backUp('first')
    // A block of the image over two pieces, and one over two chunks.
    bench.write(startBytes + 3 * chunkSizeBytes + 4095, randomBytes(2), path)
    bench.write(startBytes + 10 * chunkSizeBytes - 1, randomBytes(2), path)
    assert.deepEqual((await backUp('second')).patched, [3, 9, 10])
    bench.write(startBytes + 3 * chunkSizeBytes + 20_000, randomBytes(2), path)
    const { revision, patched } = await backUp('third')
    assert.deepEqual(patched, [3, 9, 10])
    for (const format of ['Vhdx', 'Vhd'] as const) {
      const outcome = await server.restore(`r-${format}`, target, format, [revision])
      assert.ok(outcome.state === 'SUCCESS', JSON.stringify(outcome))
      assert.ok((await volumeIn(outcome.files?.[0] ?? '')).equals(volumeOf(path)))
    }
  })
})

function volumeOf(path: string): Buffer {
  return readFileSync(path).subarray(startBytes, startBytes + sizeBytes)
}
