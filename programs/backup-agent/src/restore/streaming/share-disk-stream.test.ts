import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { DiskFormat } from '@palisade/agent-protocol'
import { idSizeBytes, isSet, setBit } from '@palisade/agent-protocol/wire'
import { deriveChunkKeys, nameChunk } from '@palisade/vault'
import { type DiskPlan, placeOf, presentBlocks, streamDisk } from '@palisade/virtual-disk'
import { chunkCountOf, chunkLength } from '../../chunks/chunk-range.ts'
import { type DiskShape, planFile, shapeDisk } from '../../disk-layout/disk-shape.ts'
import { placedRanges } from '../../disk-layout/placed-ranges.ts'
import { layPatches, type PlacedVolume, type VolumePatch } from '../../disk-layout/placed-volume.ts'
import type { PlannedDisk } from '../../disk-layout/planned-disk.ts'
import { storedBetween } from '../../sessions/stream-session.ts'
import { ChunkIdFile } from '../../state/chunk-id-file.ts'
import { someRevision } from '../../testing/revisions/some-revision.ts'
import { temporaryDirectory } from '../../testing/temporary-directory.ts'
import { DiskContent } from './disk-content.ts'
import { ForwardReader } from './forward-reader.ts'
import { ShareDiskCheck } from './share-disk-check.ts'
import { type SlottedRange, VolumeContent } from './volume-content.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte
const keys = deriveChunkKeys(randomBytes(32), 'acme/0001')
const slotCount = 3

/** A volume on a disk, and what was backed up of it. */
interface SampleVolume {
  readonly placed: PlacedVolume
  readonly volume: Buffer
}

/** A disk of volumes, of which some chunks are random and the others zeros. */
interface Sample {
  readonly disk: PlannedDisk
  readonly volumes: readonly SampleVolume[]
}

function storedOf(scheme: 'gpt' | 'mbr', chunkSizeBytes: number, volumeSizeBytes: number) {
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
  const whole = someRevision(volumeSizeBytes, chunkSizeBytes)
  const revision = { ...whole, volume: { ...whole.volume, partitionScheme: scheme } }
  return { stored: { revision, geometry, presence, firstChunk: 0 }, volume }
}

function diskOf(shape: DiskShape, format: DiskFormat): PlannedDisk {
  const partialPath = '\\\\h\\s\\x.partial'
  return { ...shape, partialPath, baseName: 'disk', extension: format.toLowerCase() }
}

/** One volume on a disk of its own. */
function sampleOf(format: DiskFormat, scheme: 'gpt' | 'mbr', chunkSizeBytes: number): Sample {
  const { stored, volume } = storedOf(scheme, chunkSizeBytes, 7 * mebibyte + 512)
  const shape = shapeDisk(stored, format)
  const placed = shape.volumes[0] ?? assert.fail()
  return { disk: diskOf(shape, format), volumes: [{ placed, volume }] }
}

/** Three volumes that touch each other at odd places; of the last one some bytes are to be others on the disk. */
function severalOf(format: DiskFormat): Sample {
  let next = 63 * 512
  const volumes = [3 * mebibyte + 512, 100 * 512, 2 * mebibyte].map((sizeBytes, index) => {
    const { stored, volume } = storedOf('mbr', ([64, 1024, 192][index] ?? 64) * kibibyte, sizeBytes)
    return { stored, volume }
  })
  const placed = volumes.map(({ stored, volume }, index): SampleVolume => {
    const partitionOffsetBytes = next
    next += volume.length
    const patches = index < 2 ? [] : [patchAt(volume, 28), patchAt(volume, volume.length - 484)]
    return { placed: { ...stored, partitionOffsetBytes, roomBehindBytes: 0, patches }, volume }
  })
  const shape = planFile(
    {
      virtualSizeBytes: next + 512,
      sectorSizeBytes: 512,
      regions: [
        { offsetBytes: 0, bytes: randomBytes(512) },
        { offsetBytes: next, bytes: randomBytes(512) },
      ],
      volumes: placed.map((volume) => volume.placed),
    },
    format,
  )
  return { disk: diskOf(shape, format), volumes: placed }
}

function patchAt(volume: Buffer, offsetBytes: number): VolumePatch {
  const original = Buffer.from(volume.subarray(offsetBytes, offsetBytes + 4))
  return { offsetBytes, original, replacement: Buffer.from('abcd') }
}

/** Streams a disk from chunks that arrive in ranges in any order, a few at a time, one volume after another. */
async function stream({ disk, volumes }: Sample): Promise<Buffer> {
  const { plan, regions } = disk
  const arriving = volumes.map(({ placed, volume }) => {
    const { chunkSizeBytes } = placed.geometry
    const chunksPerRange = Math.max(1, Math.floor((512 * kibibyte) / chunkSizeBytes))
    const slots = Array.from({ length: slotCount }, () => Buffer.alloc(chunksPerRange * chunkSizeBytes))
    return { placed, volume, chunksPerRange, slots, content: new VolumeContent(placed, slots) }
  })
  const fetching = (async () => {
    for (const each of arriving) await fetchInAnyOrder(plan, each)
  })()
  const inside = new DiskContent(
    plan.virtualSizeBytes,
    regions,
    arriving.map(({ content }) => content),
  )
  const pieces: Buffer[] = []
  await streamDisk(plan, inside, (bytes) => void pieces.push(Buffer.from(bytes)), { piecesAhead: 0 })
  for (const { content } of arriving) content.end(new Error('over'))
  await fetching
  return Buffer.concat(pieces)
}

interface Arriving extends SampleVolume {
  readonly chunksPerRange: number
  readonly slots: readonly Buffer[]
  readonly content: VolumeContent
}

async function fetchInAnyOrder(
  plan: DiskPlan,
  { placed, volume, chunksPerRange, slots, content }: Arriving,
): Promise<void> {
  const { geometry, presence, partitionOffsetBytes } = placed
  const ranges = content.withSlots(placedRanges(plan, partitionOffsetBytes, geometry, chunksPerRange))
  const fill = ({ from, to, slot }: SlottedRange) => {
    for (let index = from; index < to; index++) {
      const place = storedBetween(presence, from, index) * geometry.chunkSizeBytes
      const at = index * geometry.chunkSizeBytes
      const chunk = volume.subarray(at, at + chunkLength(geometry, index))
      if (isSet(presence, index)) chunk.copy(slots[slot] ?? assert.fail(), place)
    }
  }
  const lane = async () => {
    for (let next = ranges.next(); next.done !== true; next = ranges.next()) {
      for (let wait = Math.floor(Math.random() * 8); wait > 0; wait--) await setImmediate()
      fill(next.value)
      await content.take(next.value)
    }
  }
  await Promise.all(Array.from({ length: slotCount }, lane))
}

async function check(t: TestContext, { disk, volumes }: Sample, file: Buffer): Promise<void> {
  const directory = temporaryDirectory(t)
  const ids: ChunkIdFile[] = []
  for (const { placed, volume } of volumes) ids.push(await idsOf(placed, volume, directory))
  const bytesDone = new BigInt64Array(new SharedArrayBuffer(8))
  const pieces = async function* () {
    for (let at = 0; at < file.length; at += 50_000) yield file.subarray(at, at + 50_000)
  }
  try {
    const checking = new ShareDiskCheck(disk, { keys: () => keys, ids, bytesDone })
    await checking.run(new ForwardReader(pieces()), join(directory, 'skeleton'))
  } finally {
    for (const file of ids) await file.remove()
  }
}

async function idsOf(
  { geometry, partitionOffsetBytes }: PlacedVolume,
  volume: Buffer,
  directory: string,
): Promise<ChunkIdFile> {
  const chunkCount = chunkCountOf(geometry)
  const ids = await ChunkIdFile.create(join(directory, `ids-${partitionOffsetBytes}`), chunkCount)
  const all = Buffer.alloc(chunkCount * idSizeBytes)
  for (let index = 0; index < chunkCount; index++) {
    const at = index * geometry.chunkSizeBytes
    const name = nameChunk(volume.subarray(at, at + chunkLength(geometry, index)), keys.naming)
    name.copy(all, index * idSizeBytes)
  }
  await ids.write(0, all)
  return ids
}

for (const format of ['Vhdx', 'Vhd'] as const) {
  test(`several volumes that touch each other are streamed whole, with what is to be changed in them (${format})`, async (t) => {
    const sample = severalOf(format)
    const { disk, volumes } = sample
    const file = await stream(sample)
    assert.equal(file.length, disk.plan.fileSizeBytes)
    await check(t, sample, file)
    let ran = 0
    for (const { placed, volume } of volumes) {
      const expected = Buffer.from(volume)
      layPatches(placed.patches, expected, 0, 'replacement')
      for (const at of [0, 28, volume.length - 484, volume.length - 1]) {
        const place = placeOf(disk.plan, placed.partitionOffsetBytes + at) ?? assert.fail()
        assert.equal(file[place], expected[at])
        const damaged = Buffer.from(file)
        damaged[place] = (damaged[place] ?? 0) ^ 1
        await assert.rejects(check(t, sample, damaged), { code: 'VerificationFailed' })
        ran++
      }
    }
    assert.equal(ran, 12)
  })
}

for (const format of ['Vhdx', 'Vhd'] as const) {
  for (const scheme of ['gpt', 'mbr'] as const) {
    for (const chunkSizeBytes of [64 * kibibyte, mebibyte, 3 * mebibyte]) {
      const name = `${format}, ${scheme}, chunks of ${chunkSizeBytes / kibibyte} KiB`
      test(`a disk whose chunks arrive in any order is streamed whole, and damage anywhere is seen (${name})`, async (t) => {
        const sample = sampleOf(format, scheme, chunkSizeBytes)
        const { disk } = sample
        const { placed, volume } = sample.volumes[0] ?? assert.fail()
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
        const [swapped = assert.fail()] = other.volumes
        assert.equal(swapped.placed.geometry.volumeSizeBytes, geometry.volumeSizeBytes)
        await assert.rejects(check(t, { disk, volumes: [{ placed, volume: swapped.volume }] }, file), {
          code: 'VerificationFailed',
        })
      })
    }
  }
}
