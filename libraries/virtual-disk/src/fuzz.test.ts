import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bufferSource, readBytes } from './byte-source.ts'
import { checkDisk } from './check/check-disk.ts'
import { KIB, MIB } from './extent.ts'
import { DiskFailure } from './failure.ts'
import { overlaySource } from './overlay-source.ts'
import { partitionTypes } from './partitions/partition-table.ts'
import { readPartitionTable } from './partitions/read.ts'
import { planSingleVolumeDisk } from './partitions/single-volume-disk.ts'
import { openDisk } from './read/open-disk.ts'
import { logRing, markDirty } from './testing/dirty-vhdx.ts'
import { diskBytes } from './testing/disk-bytes.ts'
import { plannedFile } from './testing/planned-file.ts'
import { encodeLogEntry, putLogEntry } from './testing/vhdx-log.ts'

/** Some bytes somewhere in the parts of a file that mean something. */
function damage(places: readonly number[]): fc.Arbitrary<{ offsetBytes: number; bytes: Uint8Array }[]> {
  const bytes = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 16 }),
    fc.constant(new Uint8Array(8).fill(0xff)),
  )
  const one = fc.record({ place: fc.constantFrom(...places), within: fc.nat(200), bytes })
  const placed = one.map(({ place, within, bytes: changed }) => ({
    offsetBytes: place + within,
    bytes: changed,
  }))
  return fc.array(placed, { minLength: 1, maxLength: 4 })
}

async function failsClearly(action: () => Promise<unknown>): Promise<void> {
  try {
    await action()
  } catch (error) {
    if (!(error instanceof DiskFailure)) throw error
  }
}

const content = Buffer.alloc(5 * MIB, 1)
const logId = '01234567-89AB-CDEF-0123-456789ABCDEF'

function dirtyVhdx(): Buffer {
  const { file } = plannedFile({ format: 'vhdx', allocation: 'dynamic', virtualSizeBytes: 5 * MIB }, content)
  const zero = { offsetBytes: 5 * MIB, zeroBytes: 4096 }
  putLogEntry(logRing(file), 0, encodeLogEntry({ logId, sequence: 1n, tail: 0, updates: [zero] }))
  markDirty(file, logId)
  return file
}

const vhd = plannedFile({ format: 'vhd', allocation: 'dynamic', virtualSizeBytes: 5 * MIB }, content).file
const subjects = {
  'a VHD': { file: vhd, places: [0, 512, 700, 1100, 1536, 3584, vhd.byteLength - 512] },
  'a VHDX that was not closed': {
    file: dirtyVhdx(),
    places: [0, 64 * KIB, 128 * KIB, 192 * KIB, 256 * KIB, MIB, 2 * MIB, 2 * MIB + 64 * KIB, 3 * MIB],
  },
}

for (const [title, { file, places }] of Object.entries(subjects)) {
  test(`whatever is wrong with ${title}, it is read or refused, and checked`, async () => {
    const property = fc.asyncProperty(damage(places), async (changes) => {
      const patches = changes
        .filter(({ offsetBytes, bytes }) => offsetBytes + bytes.byteLength <= file.byteLength)
        .map((change) => ({ ...change, sizeBytes: change.bytes.byteLength }))
      const source = overlaySource(bufferSource(file), patches, 0)
      await checkDisk(source)
      await failsClearly(async () => {
        const disk = await openDisk(source)
        await readBytes(disk, 0, Math.min(disk.sizeBytes, 5 * MIB))
      })
    })
    await fc.assert(property, { numRuns: 150 })
  })
}

test('whatever is wrong with a partition table, it is read or refused', async () => {
  let ran = 0
  for (const scheme of ['gpt', 'mbr'] as const) {
    const partitionType = partitionTypes[scheme].linux
    const { virtualSizeBytes, regions } = planSingleVolumeDisk({
      scheme,
      volumeSizeBytes: 3 * MIB,
      partitionType,
    })
    const disk = diskBytes(virtualSizeBytes, regions)
    // As an extended partition, so that its first sector is looked at too.
    if (scheme === 'mbr') disk.writeUInt8(0x0f, 446 + 4)
    const places = scheme === 'gpt' ? [0, 440, 512, 1024, virtualSizeBytes - 712] : [310, 440, MIB + 310]
    const property = fc.asyncProperty(damage(places), async (changes) => {
      const patches = changes.map((change) => ({ ...change, sizeBytes: change.bytes.byteLength }))
      const source = overlaySource(bufferSource(disk), patches, 0)
      await failsClearly(() => readPartitionTable(source))
    })
    await fc.assert(property, { numRuns: 300 })
    ran++
  }
  assert.equal(ran, 2)
})
