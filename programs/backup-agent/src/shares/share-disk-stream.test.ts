import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type DiskFormat, idSizeBytes, type RevisionToRestore, setBit } from '@palisade/agent-protocol'
import { deriveChunkKeys, nameChunk } from '@palisade/vault'
import { placeOf, presentBlocks, streamDisk } from '@palisade/virtual-disk'
import { chunkCountOf, chunkLength } from '../chunk-range.ts'
import { shapeDisk } from '../restore/disk-shape.ts'
import { placedRanges } from '../restore/placed-ranges.ts'
import type { PlacedVolume } from '../restore/placed-volume.ts'
import type { PlannedDisk } from '../restore/planned-disk.ts'
import { storedBetween } from '../restore/stream-session.ts'
import { ChunkIdFile } from '../state/chunk-id-file.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { DiskContent } from './disk-content.ts'
import { ForwardReader } from './forward-reader.ts'
import { ShareDiskCheck } from './share-disk-check.ts'
import { type SlottedRange, VolumeContent } from './volume-content.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte
const keys = deriveChunkKeys(randomBytes(32), 'acme/0001')
const slotCount = 3

/** A volume of which some chunks are random and the others zeros, and the disk that it becomes. */
interface Sample {
  readonly disk: PlannedDisk
  readonly placed: PlacedVolume
  readonly volume: Buffer
}

function sampleOf(format: DiskFormat, scheme: 'gpt' | 'mbr', chunkSizeBytes: number): Sample {
  const volumeSizeBytes = 7 * mebibyte + 512
  const geometry = { volumeSizeBytes, chunkSizeBytes }
  const chunkCount = chunkCountOf(geometry)
  const presence = new Uint8Array(Math.ceil(chunkCount / 8))
  const volume = Buffer.alloc(volumeSizeBytes)
  for (let index = 0; index < chunkCount; index++) {
    const isWanted = index === 0 || index === chunkCount - 1 || Math.random() < 0.4
    if (!isWanted) continue
    setBit(presence, index)
    randomBytes(chunkLength(geometry, index)).copy(volume, index * chunkSizeBytes)
  }
  const revision: RevisionToRestore = {
    revisionId: 1,
    chunkSizeBytes,
    chunkCount,
    fileName: 'disk',
    volume: {
      deviceId: 'x',
      driveLetter: '',
      label: 'data',
      fileSystem: 'ntfs',
      capacityBytes: volumeSizeBytes,
      usedBytes: 0,
      isBoot: false,
      firmware: 'bios',
      partitionScheme: scheme,
      partitionType: '',
      sourcePath: '',
    },
  }
  const shape = shapeDisk({ revision, geometry, presence, firstChunk: 0 }, format)
  const names = { partialPath: '\\\\h\\s\\x.partial', baseName: 'disk', extension: format.toLowerCase() }
  const placed = shape.volumes[0] ?? assert.fail()
  return { disk: { ...shape, ...names }, placed, volume }
}

/** Streams a disk from chunks that arrive in ranges in any order, a few at a time. */
async function stream({ disk, placed, volume }: Sample): Promise<Buffer> {
  const { plan, regions } = disk
  const { geometry, presence, partitionOffsetBytes } = placed
  const chunksPerRange = Math.max(1, Math.floor((512 * kibibyte) / geometry.chunkSizeBytes))
  const slots = Array.from({ length: slotCount }, () =>
    Buffer.alloc(chunksPerRange * geometry.chunkSizeBytes),
  )
  const content = new VolumeContent(placed, slots)
  const inside = new DiskContent(plan.virtualSizeBytes, regions, [content])
  const ranges = content.withSlots(placedRanges(plan, partitionOffsetBytes, geometry, chunksPerRange))
  const fill = ({ from, to, slot }: SlottedRange) => {
    for (let index = from; index < to; index++) {
      const place = storedBetween(presence, from, index) * geometry.chunkSizeBytes
      const at = index * geometry.chunkSizeBytes
      const chunk = volume.subarray(at, at + chunkLength(geometry, index))
      if (((presence[index >> 3] ?? 0) >> (index & 7)) & 1) chunk.copy(slots[slot] ?? assert.fail(), place)
    }
  }
  const lane = async () => {
    for (let next = ranges.next(); next.done !== true; next = ranges.next()) {
      for (let wait = Math.floor(Math.random() * 8); wait > 0; wait--) await setImmediate()
      fill(next.value)
      await content.take(next.value)
    }
  }
  const lanes = Array.from({ length: slotCount }, lane)
  const pieces: Buffer[] = []
  await streamDisk(plan, inside, (bytes) => void pieces.push(Buffer.from(bytes)), { piecesAhead: 0 })
  content.end(new Error('over'))
  await Promise.all(lanes)
  return Buffer.concat(pieces)
}

async function check(t: TestContext, { disk, placed, volume }: Sample, file: Buffer): Promise<void> {
  const { geometry, revision } = placed
  const directory = temporaryDirectory(t)
  const ids = await ChunkIdFile.create(join(directory, 'ids'), revision.chunkCount)
  const all = Buffer.alloc(revision.chunkCount * idSizeBytes)
  for (let index = 0; index < revision.chunkCount; index++) {
    const at = index * geometry.chunkSizeBytes
    nameChunk(volume.subarray(at, at + chunkLength(geometry, index)), keys.naming).copy(
      all,
      index * idSizeBytes,
    )
  }
  await ids.write(0, all)
  const bytesDone = new BigInt64Array(new SharedArrayBuffer(8))
  const pieces = async function* () {
    for (let at = 0; at < file.length; at += 50_000) yield file.subarray(at, at + 50_000)
  }
  try {
    const checking = new ShareDiskCheck(disk, { keys: () => keys, ids: [ids], bytesDone })
    await checking.run(new ForwardReader(pieces()), join(directory, 'skeleton'))
  } finally {
    await ids.remove()
  }
}

for (const format of ['Vhdx', 'Vhd'] as const) {
  for (const scheme of ['gpt', 'mbr'] as const) {
    for (const chunkSizeBytes of [64 * kibibyte, mebibyte, 3 * mebibyte]) {
      const name = `${format}, ${scheme}, chunks of ${chunkSizeBytes / kibibyte} KiB`
      test(`a disk whose chunks arrive in any order is streamed whole, and damage anywhere is seen (${name})`, async (t) => {
        const sample = sampleOf(format, scheme, chunkSizeBytes)
        const { disk, placed, volume } = sample
        const { plan } = disk
        const { partitionOffsetBytes, geometry } = placed
        const file = await stream(sample)
        assert.equal(file.length, plan.fileSizeBytes)
        await check(t, sample, file)
        const inside = (at: number) => placeOf(plan, at) ?? assert.fail()
        const firstBlock = presentBlocks(plan.blocks).next().value ?? assert.fail()
        const damages = {
          'the beginning': 0,
          'the end': file.length - 1,
          'the partition table': inside(510),
          'the first byte of the volume': inside(partitionOffsetBytes),
          'the last byte of the volume': inside(partitionOffsetBytes + volume.length - 1),
          'the room before the volume': inside(partitionOffsetBytes - 1),
          'the block table': format === 'Vhdx' ? 3 * mebibyte : 1536,
          'a chunk in the middle': inside(firstBlock * plan.blockSizeBytes) + 4096,
        }
        for (const [what, at] of Object.entries(damages)) {
          const damaged = Buffer.from(file)
          damaged[at] = (damaged[at] ?? 0) ^ 0x10
          await assert.rejects(check(t, sample, damaged), { code: 'VerificationFailed' }, what)
        }
        await assert.rejects(check(t, sample, file.subarray(0, -1)), { code: 'VerificationFailed' })
        await assert.rejects(check(t, sample, Buffer.concat([file, Buffer.alloc(1)])), {
          code: 'VerificationFailed',
        })
        const other = sampleOf(format, scheme, chunkSizeBytes)
        assert.equal(other.placed.geometry.volumeSizeBytes, geometry.volumeSizeBytes)
        await assert.rejects(check(t, { disk, placed, volume: other.volume }, file), {
          code: 'VerificationFailed',
        })
      })
    }
  }
}
