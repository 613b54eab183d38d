import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Extent } from '@palisade/virtual-disk'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { UnchangedPieces } from './unchanged-pieces.ts'
import { findWrongSample } from './wrong-sample.ts'

const chunkSizeBytes = 64 * 1024
const pieceSizeBytes = chunkSizeBytes / 128
const offsetBytes = 4096

async function* each(extents: Iterable<Extent>): AsyncGenerator<Extent> {
  yield* extents
}

/** A volume in which some bytes of some chunks were changed, and what is said of it. */
async function volumeOf(t: TestContext, volumeSizeBytes: number, changed: readonly Extent[]) {
  const folder = temporaryDirectory(t)
  const content = randomBytes(offsetBytes + volumeSizeBytes)
  const path = { before: join(folder, 'before'), now: join(folder, 'now') }
  writeFileSync(path.before, content)
  for (const { offsetBytes: at, sizeBytes } of changed) content.set(randomBytes(sizeBytes), offsetBytes + at)
  const unchanged = new UnchangedPieces({ chunkSizeBytes, volumeSizeBytes })
  await unchanged.addWithin(each([{ offsetBytes: 0, sizeBytes: volumeSizeBytes }]))
  await unchanged.removeTouched(each(changed))
  const find = () => findWrongSample(unchanged, { ...path, offsetBytes })
  /** Changes a byte of which nothing is said. */
  const change = (at: number) => {
    content.writeUInt8(content.readUInt8(offsetBytes + at) ^ 1, offsetBytes + at)
    writeFileSync(path.now, content)
  }
  writeFileSync(path.now, content)
  return { find, change }
}

test('nothing is wrong where what was changed is known, however much of it there is', async (t) => {
  for (let round = 0; round < 40; round++) {
    const sizeBytes = 20 * chunkSizeBytes - randomInt(chunkSizeBytes)
    const changed: Extent[] = []
    for (let at = randomInt(chunkSizeBytes); at < sizeBytes; at += randomInt(1, 3 * chunkSizeBytes))
      changed.push({ offsetBytes: at, sizeBytes: Math.min(randomInt(1, 3 * pieceSizeBytes), sizeBytes - at) })
    const { find } = await volumeOf(t, sizeBytes, changed)
    assert.equal(await find(), undefined)
  }
})

test('a byte that was changed is found in a chunk, in a piece of one that was changed elsewhere, and in a last one that is short', async (t) => {
  const lastBytes = 700
  const changed = [{ offsetBytes: 2 * chunkSizeBytes + 3 * pieceSizeBytes, sizeBytes: 1 }]
  const places = [
    0,
    2 * chunkSizeBytes + 4 * pieceSizeBytes,
    3 * chunkSizeBytes + 100,
    7 * chunkSizeBytes + 699,
  ]
  for (const at of places) {
    const { find, change } = await volumeOf(t, 7 * chunkSizeBytes + lastBytes, changed)
    change(at)
    assert.equal(await find(), Math.floor(at / chunkSizeBytes))
  }
})

test('nothing is said of what is known to be changed', async (t) => {
  const changed = [{ offsetBytes: 2 * chunkSizeBytes + 3 * pieceSizeBytes, sizeBytes: 1 }]
  const { find, change } = await volumeOf(t, 4 * chunkSizeBytes, changed)
  change(2 * chunkSizeBytes + 4 * pieceSizeBytes - 1)
  assert.equal(await find(), undefined)
})

test('each chunk is looked at sooner or later', async (t) => {
  const { find, change } = await volumeOf(t, 40 * chunkSizeBytes, [])
  const wrong = randomInt(40)
  change(wrong * chunkSizeBytes)
  let position: number | undefined
  for (let look = 0; look < 300 && position === undefined; look++) position = await find()
  assert.equal(position, wrong)
})

test('nothing is wrong where nothing is taken for unchanged', async (t) => {
  const everything = [{ offsetBytes: 0, sizeBytes: 3 * chunkSizeBytes }]
  assert.equal(await (await volumeOf(t, 3 * chunkSizeBytes, everything)).find(), undefined)
})
