import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bufferSource } from '../byte-source.ts'
import { composeSource } from '../compose-source.ts'
import { KIB, MIB } from '../extent.ts'
import { randomGuid } from '../guid.ts'
import { overlaySource } from '../overlay-source.ts'
import { encodeLogEntry, type LogUpdate, putLogEntry } from '../testing/vhdx-log.ts'
import { readLog } from './log.ts'

const SECTOR = 4 * KIB
const logId = randomGuid()

/** A header and a file that is nothing but its log. */
function fileWithLog(ring: Buffer): Parameters<typeof readLog> {
  const source = composeSource(MIB + ring.byteLength, [{ offsetBytes: MIB, bytes: ring }])
  const header = {
    sequence: 1n,
    fileWriteId: randomGuid(),
    dataWriteId: randomGuid(),
    logId,
    logVersion: 0,
    logOffsetBytes: MIB,
    logSizeBytes: ring.byteLength,
  }
  return [source, header]
}

test('a long chain of entries that leads nowhere takes no more time than its length', {
  timeout: 60_000,
}, async () => {
  const ring = Buffer.alloc(64 * MIB)
  const last = ring.byteLength - SECTOR
  let at = 0
  for (let sequence = 1n; at < last; sequence++) {
    at = putLogEntry(ring, at, encodeLogEntry({ logId, sequence, tail: last, updates: [] }))
  }
  await assert.rejects(readLog(...fileWithLog(ring)), { code: 'log-corrupt' })
})

test('entries that claim to be as long as the log take no more time than one', {
  timeout: 60_000,
}, async () => {
  const ring = Buffer.alloc(64 * MIB)
  const entry = encodeLogEntry({ logId, sequence: 1n, tail: 0, updates: [] })
  entry.writeUInt32LE(ring.byteLength, 8)
  for (let at = 0; at < ring.byteLength; at += SECTOR) ring.set(entry, at)
  await assert.rejects(readLog(...fileWithLog(ring)), { code: 'log-corrupt' })
})

test('a log full of updates that lie over each other is replayed in no time', {
  timeout: 60_000,
}, async () => {
  const ring = Buffer.alloc(2 * MIB)
  const updates: LogUpdate[] = Array.from({ length: 60_000 }, (_, index) => {
    return { offsetBytes: index * SECTOR, zeroBytes: (70_000 - (index % 7) * 1000) * SECTOR }
  })
  putLogEntry(ring, 0, encodeLogEntry({ logId, sequence: 1n, tail: 0, updates }))
  const { patches, fileSizeBytes } = await readLog(...fileWithLog(ring))
  assert.equal(patches.length, updates.length)
  const replayed = overlaySource(bufferSource(Buffer.alloc(SECTOR, 1)), patches, fileSizeBytes)
  const target = Buffer.alloc(SECTOR, 1)
  await replayed.read(target, 0)
  assert.ok(target.equals(Buffer.alloc(SECTOR)))
})

test('refuses a log that makes the file longer than any disk', async () => {
  const ring = Buffer.alloc(MIB)
  const tooLong = { logId, sequence: 1n, tail: 0, lastFileSizeBytes: 2 ** 50 }
  putLogEntry(ring, 0, encodeLogEntry({ ...tooLong, updates: [] }))
  await assert.rejects(readLog(...fileWithLog(ring)), { code: 'log-corrupt' })
  for (const far of [
    { offsetBytes: 2 ** 50, zeroBytes: SECTOR },
    { offsetBytes: 2 ** 50, bytes: Buffer.alloc(SECTOR) },
  ]) {
    putLogEntry(ring, 0, encodeLogEntry({ logId, sequence: 1n, tail: 0, updates: [far] }))
    await assert.rejects(readLog(...fileWithLog(ring)), { code: 'log-corrupt' })
  }
})
