import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bufferSource } from '@palisade/virtual-disk'
import { attributeTypes } from './record.ts'
import { NtfsVolume } from './volume.ts'

const recordSizeBytes = 1024
const mftCluster = 4
const listCluster = 1000
const runsPerRecord = 400
const { attributeList, data, indexAllocation } = attributeTypes
const listingRecord = 5
const firstPart = 16

test('an attribute is put together from its parts, unless it is in too many pieces', async () => {
  for (const [partCount, isFound] of [
    [150, true],
    [200, false],
  ] as const) {
    const volume = await NtfsVolume.open(bufferSource(volumeOf(partCount)))
    const stream = await volume?.stream(listingRecord, indexAllocation)
    assert.equal(stream?.kind === 'runs' && stream.runs.length === partCount * runsPerRecord, isFound)
  }
})

/** A volume with clusters of 1 KiB, one record of which is spread over so many others, each in as many pieces as fit. */
function volumeOf(partCount: number): Buffer {
  const volume = Buffer.alloc(2 * 1024 * 1024)
  volume.write('NTFS    ', 3)
  volume.writeUInt16LE(512, 11)
  volume.writeUInt8(2, 13)
  volume.writeBigUInt64LE(BigInt(volume.length / 512), 40)
  volume.writeBigUInt64LE(BigInt(mftCluster), 48)
  volume.writeInt8(-10, 64)
  const put = (number: number, attribute: Buffer) =>
    volume.set(recordWith(attribute), (mftCluster + number) * recordSizeBytes)
  const pieces = Buffer.alloc(2 * runsPerRecord, 1)
  put(0, attributeOf(data, 0, Buffer.from([0x12, 0x20, 0x03, mftCluster])))
  put(listingRecord, attributeOf(attributeList, 0, Buffer.from([0x22, 0x20, 0, 0xe8, 0x03]), partCount * 32))
  for (let part = 0; part < partCount; part++) {
    put(firstPart + part, attributeOf(indexAllocation, part * runsPerRecord, pieces))
    const entry = listCluster * recordSizeBytes + part * 32
    volume.writeUInt32LE(indexAllocation, entry)
    volume.writeUInt16LE(32, entry + 4)
    volume.writeUIntLE(firstPart + part, entry + 16, 6)
  }
  return volume
}

/** One that is not resident and has no name. */
function attributeOf(type: number, firstCluster: number, runs: Buffer, sizeBytes = 0): Buffer {
  const bytes = Buffer.alloc(64 + Math.ceil((runs.length + 1) / 8) * 8)
  bytes.writeUInt32LE(type, 0)
  bytes.writeUInt32LE(bytes.length, 4)
  bytes.writeUInt8(1, 8)
  bytes.writeBigUInt64LE(BigInt(firstCluster), 16)
  bytes.writeUInt16LE(64, 32)
  bytes.writeBigUInt64LE(BigInt(sizeBytes), 48)
  bytes.set(runs, 64)
  return bytes
}

function recordWith(attribute: Buffer): Buffer {
  const bytes = Buffer.alloc(recordSizeBytes)
  bytes.write('FILE')
  bytes.writeUInt16LE(48, 4)
  bytes.writeUInt16LE(3, 6)
  bytes.writeUInt16LE(56, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(56 + attribute.length + 8, 24)
  bytes.set(attribute, 56)
  bytes.writeUInt32LE(0xffff_ffff, 56 + attribute.length)
  // The update sequence takes the last two bytes of each half; its mark is zero.
  for (const [index, at] of [510, 1022].entries()) {
    bytes.copy(bytes, 50 + 2 * index, at, at + 2)
    bytes.writeUInt16LE(0, at)
  }
  return bytes
}
