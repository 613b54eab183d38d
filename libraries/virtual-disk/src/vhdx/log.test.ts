import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { bufferSource, readBytes } from '../byte-source.ts'
import { KIB, MIB } from '../extent.ts'
import { NO_GUID, randomGuid } from '../guid.ts'
import { openDisk } from '../read/open-disk.ts'
import { logRing, markDirty } from '../testing/dirty-vhdx.ts'
import { plannedFile } from '../testing/planned-file.ts'
import { assertSameContent } from '../testing/same-content.ts'
import { encodeLogEntry, type LogEntryRequest, putLogEntry } from '../testing/vhdx-log.ts'
import { BAT_OFFSET } from './layout.ts'

const SECTOR = 4 * KIB
const logId = randomGuid()

/** A disk of two blocks, both present, the same content in front of a guest before and after. */
function disk(): { readonly file: Buffer; readonly content: Buffer } {
  const content = randomBytes(4 * MIB)
  return {
    content,
    file: plannedFile({ format: 'vhdx', allocation: 'dynamic', virtualSizeBytes: 4 * MIB }, content).file,
  }
}

/** The first sector of the BAT, the two blocks in the given file order. */
function batSector(...offsetsMib: readonly number[]): Buffer {
  const sector = Buffer.alloc(SECTOR)
  for (const [block, offset] of offsetsMib.entries())
    sector.writeBigUInt64LE(BigInt(offset * MIB + 6), block * 8)
  return sector
}

function entry(request: Partial<LogEntryRequest>): Buffer {
  return encodeLogEntry({ logId, sequence: 1n, tail: 0, updates: [], ...request })
}

const swapped = { offsetBytes: BAT_OFFSET, bytes: batSector(6, 4) }

function exchange(content: Buffer): Buffer {
  return Buffer.concat([content.subarray(2 * MIB), content.subarray(0, 2 * MIB)])
}

test('replays what a file that was not closed has in its log, without touching the file', async () => {
  const { file, content } = disk()
  putLogEntry(logRing(file), 0, entry({ updates: [swapped] }))
  markDirty(file, logId)
  const before = Buffer.from(file)
  await assertSameContent(await openDisk(bufferSource(file)), bufferSource(exchange(content)))
  assert.ok(file.equals(before))
})

test('leaves the log alone when the header says that it is empty', async () => {
  const { file, content } = disk()
  putLogEntry(logRing(file), 0, entry({ updates: [swapped] }))
  await assertSameContent(await openDisk(bufferSource(file)), bufferSource(content))
})

test('replays updates in their order, later over earlier, zeros over data and data over zeros', async () => {
  const { file, content } = disk()
  const ring = logRing(file)
  const text = Buffer.alloc(SECTOR, 'new')
  const at = 4 * MIB
  const second = putLogEntry(
    ring,
    0,
    entry({
      updates: [
        { offsetBytes: at + SECTOR, bytes: text },
        { offsetBytes: at, zeroBytes: 8 * SECTOR },
        { offsetBytes: at + 2 * SECTOR, bytes: text },
      ],
    }),
  )
  const updates = [{ offsetBytes: at + 3 * SECTOR, bytes: text }]
  putLogEntry(ring, second, entry({ sequence: 2n, tail: 0, updates }))
  markDirty(file, logId)
  const expected = Buffer.from(content).fill(0, 0, 8 * SECTOR)
  expected.set(text, 2 * SECTOR)
  expected.set(text, 3 * SECTOR)
  await assertSameContent(await openDisk(bufferSource(file)), bufferSource(expected))
})

test('replays a sequence that runs over the end of the ring, with more descriptors than a sector holds', async () => {
  const { file, content } = disk()
  const ring = logRing(file)
  const start = ring.byteLength - 100 * SECTOR
  const text = Buffer.alloc(SECTOR, 'x')
  const many = Array.from({ length: 200 }, (_, index) => ({
    offsetBytes: 4 * MIB + index * SECTOR,
    bytes: text,
  }))
  const next = putLogEntry(ring, start, entry({ sequence: 2n ** 40n, tail: start, updates: many }))
  putLogEntry(ring, next, entry({ sequence: 2n ** 40n + 1n, tail: start, updates: [swapped] }))
  markDirty(file, logId)
  const changed = Buffer.from(content)
  for (let index = 0; index < 200; index++) changed.set(text, index * SECTOR)
  await assertSameContent(await openDisk(bufferSource(file)), bufferSource(exchange(changed)))
})

test('replays the newest sequence only, from the entry that its head calls the tail', async () => {
  const { file, content } = disk()
  const ring = logRing(file)
  const wrong = { offsetBytes: BAT_OFFSET, bytes: batSector(4, 4) }
  putLogEntry(ring, 0, entry({ sequence: 3n, tail: 0, updates: [wrong] }))
  const tail = putLogEntry(ring, 32 * SECTOR, entry({ sequence: 7n, tail: 32 * SECTOR, updates: [wrong] }))
  const head = putLogEntry(ring, tail, entry({ sequence: 8n, tail, updates: [swapped] }))
  putLogEntry(ring, head, entry({ sequence: 10n, tail: 0, updates: [wrong] }))
  putLogEntry(
    ring,
    64 * SECTOR,
    entry({ logId: randomGuid(), sequence: 99n, tail: 64 * SECTOR, updates: [wrong] }),
  )
  markDirty(file, logId)
  await assertSameContent(await openDisk(bufferSource(file)), bufferSource(exchange(content)))
})

test('extends the file to the length that the log knows', async () => {
  const { file, content } = disk()
  const moved = { offsetBytes: BAT_OFFSET, bytes: batSector(4, 8) }
  putLogEntry(logRing(file), 0, entry({ updates: [moved], lastFileSizeBytes: 10 * MIB }))
  markDirty(file, logId)
  const opened = await openDisk(bufferSource(file))
  assert.ok((await readBytes(opened, 0, 2 * MIB)).equals(content.subarray(0, 2 * MIB)))
  assert.ok((await readBytes(opened, 2 * MIB, 2 * MIB)).equals(Buffer.alloc(2 * MIB)))
})

test('refuses a file that is shorter than its log knows it was', async () => {
  const { file } = disk()
  putLogEntry(logRing(file), 0, entry({ flushedFileSizeBytes: file.byteLength + MIB }))
  markDirty(file, logId)
  await assert.rejects(openDisk(bufferSource(file)), { code: 'truncated' })
})

test('refuses a log that must be replayed and has no valid sequence', async () => {
  const damage: readonly ((ring: Buffer) => void)[] = [
    (ring) => ring.fill(0),
    (ring) => ring.writeUInt8(ring.readUInt8(4) ^ 1, 4),
    (ring) => ring.writeUInt8(1, 200),
    (ring) => ring.writeUInt8(ring.readUInt8(SECTOR + 100) ^ 1, SECTOR + 100),
    (ring) => ring.writeUInt8(ring.readUInt8(2 * SECTOR - 1) ^ 1, 2 * SECTOR - 1),
    (ring) => putLogEntry(ring, 0, entry({ tail: SECTOR })),
    (ring) => putLogEntry(ring, 0, entry({ sequence: 0n })),
    (ring) => putLogEntry(ring, 0, entry({ updates: [{ offsetBytes: 1, zeroBytes: SECTOR }] })),
    (ring) => putLogEntry(ring, 0, entry({ updates: [{ offsetBytes: 0, zeroBytes: 2 ** 53 }] })),
    (ring) => ring.writeUInt32LE(SECTOR * 1000, 8),
    (ring) => ring.writeUInt32LE(0xffff_ffff, 24),
  ]
  let ran = 0
  for (const apply of damage) {
    const { file } = disk()
    putLogEntry(logRing(file), 0, entry({ updates: [swapped] }))
    apply(logRing(file))
    markDirty(file, logId)
    await assert.rejects(openDisk(bufferSource(file)), { code: 'log-corrupt' }, `damage ${ran}`)
    ran++
  }
  assert.equal(ran, damage.length)
})

test('never takes a log id of zero for a log', async () => {
  const { file, content } = disk()
  putLogEntry(logRing(file), 0, entry({ logId: NO_GUID, updates: [swapped] }))
  markDirty(file, NO_GUID)
  await assertSameContent(await openDisk(bufferSource(file)), bufferSource(content))
})
