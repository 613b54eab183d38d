import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setBit } from '@palisade/agent-protocol/wire'
import { chunkCountOf, chunkLength, rangeLength } from '../chunks/chunk-range.ts'
import { layPatches, type PlacedVolume, type VolumePatch } from '../disk-layout/placed-volume.ts'
import { someRevision } from '../testing/revisions/some-revision.ts'
import { InstantDisk } from './instant-disk.ts'

const chunkSizeBytes = 4096

/** A volume of which some chunks are random and the others zeros. */
function volumeOf(partitionOffsetBytes: number, sizeBytes: number, patches: readonly VolumePatch[] = []) {
  const geometry = { volumeSizeBytes: sizeBytes, chunkSizeBytes }
  const presence = new Uint8Array(Math.ceil(chunkCountOf(geometry) / 8))
  const bytes = Buffer.alloc(sizeBytes)
  for (let index = 0; index < chunkCountOf(geometry); index++) {
    if (index !== 0 && Math.random() < 0.5) continue
    setBit(presence, index)
    randomBytes(chunkLength(geometry, index)).copy(bytes, index * chunkSizeBytes)
  }
  const revision = someRevision(sizeBytes, chunkSizeBytes)
  const placed: PlacedVolume = {
    revision,
    geometry,
    presence,
    firstChunk: 0,
    partitionOffsetBytes,
    roomBehindBytes: 0,
    patches,
  }
  return { placed, bytes }
}

test('a disk reads as what it would be restored to, wherever and however much is read', async () => {
  const patch = { offsetBytes: 28, original: Buffer.alloc(4), replacement: Buffer.from('abcd') }
  const one = volumeOf(1536, 20 * chunkSizeBytes + 512)
  const other = volumeOf(1536 + one.bytes.length, 9 * chunkSizeBytes, [patch])
  const head = { offsetBytes: 0, bytes: randomBytes(512) }
  const virtualSizeBytes = 1536 + one.bytes.length + other.bytes.length + 2048
  const tail = { offsetBytes: virtualSizeBytes - 512, bytes: randomBytes(512) }
  const expected = Buffer.alloc(virtualSizeBytes)
  for (const { offsetBytes, bytes } of [head, tail]) expected.set(bytes, offsetBytes)
  for (const { placed, bytes } of [one, other]) expected.set(bytes, placed.partitionOffsetBytes)
  layPatches([patch], expected.subarray(other.placed.partitionOffsetBytes), 0, 'replacement')

  const byVolume = new Map([one, other].map(({ placed, bytes }) => [placed, bytes]))
  const disk = new InstantDisk(
    { virtualSizeBytes, regions: [head, tail], volumes: [one.placed, other.placed] },
    async (volume, range) => {
      const at = range.from * chunkSizeBytes
      return (byVolume.get(volume) ?? assert.fail()).subarray(at, at + rangeLength(volume.geometry, range))
    },
    { cacheBytesMax: 8 * chunkSizeBytes, chunksAheadMax: 4 },
  )
  assert.equal(disk.sizeBytes, virtualSizeBytes)
  for (let run = 0; run < 300; run++) {
    const position = Math.floor(Math.random() * virtualSizeBytes)
    const target = Buffer.alloc(Math.floor(Math.random() * (virtualSizeBytes - position)), 0xff)
    await disk.read(target, position)
    assert.ok(
      target.equals(expected.subarray(position, position + target.length)),
      `${position} ${target.length}`,
    )
    let at = position
    for (const { offsetBytes, sizeBytes, isZero } of disk.extents({
      offsetBytes: position,
      sizeBytes: target.length,
    })) {
      assert.equal(offsetBytes, at)
      assert.ok(sizeBytes > 0)
      if (isZero) assert.ok(expected.subarray(at, at + sizeBytes).every((byte) => byte === 0))
      at += sizeBytes
    }
    assert.equal(at, position + target.length)
  }
  assert.ok(disk.fetchedBytes > 0)
})

test('a read fetches no chunk that lies before it', async () => {
  const { placed, bytes } = volumeOf(0, 20 * chunkSizeBytes)
  setBit(placed.presence, 19)
  const fetched: number[] = []
  const disk = new InstantDisk(
    { virtualSizeBytes: bytes.length, regions: [], volumes: [placed] },
    async (_, { from, to }) => {
      fetched.push(from)
      return bytes.subarray(from * chunkSizeBytes, to * chunkSizeBytes)
    },
    { cacheBytesMax: 8 * chunkSizeBytes, chunksAheadMax: 4 },
  )
  await disk.read(Buffer.alloc(100), 19 * chunkSizeBytes)
  assert.deepEqual(fetched, [19])
})
