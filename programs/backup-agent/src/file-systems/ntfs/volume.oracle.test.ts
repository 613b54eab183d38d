import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { bufferSource } from '@palisade/virtual-disk'
import { temporaryDirectory } from '../../testing/temporary-directory.ts'
import { hasTools, run } from '../../testing/tool.ts'
import { whileMounted } from '../../testing/volumes/mount.ts'
import { readFolder } from './folder.ts'
import { attributeTypes } from './record.ts'
import { NtfsVolume } from './volume.ts'

const rootRecord = 5

test('a file in so many pieces that its runs need records of their own is read from all of them', async (t) => {
  if (!hasTools(t, 'mkntfs', 'ntfs-3g', 'ntfsinfo')) return
  const image = join(temporaryDirectory(t), 'image')
  writeFileSync(image, '')
  truncateSync(image, 16 * 1024 * 1024)
  run('mkntfs', '-q', '-F', '-Q', '-c', '512', image)
  const content = randomBytes(1_500_000)
  const isMounted = await whileMounted(t, image, ['ntfs-3g'], (folder) => {
    // Small files until there is no room; then every second one makes room again, in pieces.
    const name = (index: number) => join(folder, `small-${index}`)
    let count = 0
    try {
      for (; ; count++) writeFileSync(name(count), Buffer.alloc(1024, count & 0xff))
    } catch {
      assert.ok(count > 2000, 'the volume is full')
    }
    for (let index = 0; index < count; index += 2) rmSync(name(index))
    writeFileSync(join(folder, 'in-pieces'), content)
    assert.ok(existsSync(join(folder, 'in-pieces')))
  })
  if (!isMounted) return
  assert.match(run('ntfsinfo', '--file', 'in-pieces', image), /ATTRIBUTE_LIST/)
  const ntfs = (await NtfsVolume.open(bufferSource(readFileSync(image)))) ?? assert.fail()
  const record = (await readFolder(ntfs, rootRecord)).get('in-pieces') ?? assert.fail()
  const stream = (await ntfs.stream(record, attributeTypes.data)) ?? assert.fail()
  assert.ok(stream.kind === 'runs')
  assert.ok(stream.runs.length > 200, `${stream.runs.length} runs`)
  assert.ok((await ntfs.read(stream, content.length)).equals(content))
})
