import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { bufferSource } from '../byte-source.ts'
import { MIB } from '../extent.ts'
import { randomGuid, readGuid } from '../guid.ts'
import { openDisk } from '../read/open-disk.ts'
import { logRing, markDirty } from '../testing/dirty-vhdx.ts'
import { askOracle, hasOracle } from '../testing/oracle.ts'
import { plannedFile } from '../testing/planned-file.ts'
import { assertSameContent } from '../testing/same-content.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { encodeLogEntry, putLogEntry } from '../testing/vhdx-log.ts'
import { BAT_OFFSET } from './layout.ts'

test('sees in a file that was not closed what QEMU makes of it by replaying its log', async (t) => {
  if (!hasOracle(t, 'qemu-img')) return
  const directory = await temporaryDirectory(t)
  const content = randomBytes(4 * MIB)
  const { file } = plannedFile({ format: 'vhdx', allocation: 'dynamic', virtualSizeBytes: 4 * MIB }, content)
  const logId = randomGuid()
  const exchanged = Buffer.alloc(4096)
  for (const [block, place] of [6 * MIB, 4 * MIB].entries())
    exchanged.writeBigUInt64LE(BigInt(place + 6), block * 8)
  const common = { logId, tail: 0, flushedFileSizeBytes: file.byteLength, lastFileSizeBytes: file.byteLength }
  const first = encodeLogEntry({
    ...common,
    sequence: 5n,
    updates: [{ offsetBytes: BAT_OFFSET, bytes: exchanged }],
  })
  const zeros = { offsetBytes: 5 * MIB, zeroBytes: 8192 }
  const second = encodeLogEntry({ ...common, sequence: 6n, updates: [zeros] })
  putLogEntry(logRing(file), putLogEntry(logRing(file), 0, first), second)
  markDirty(file, logId)
  const paths = { vhdx: join(directory, 'dirty.vhdx'), raw: join(directory, 'replayed.raw') }
  await writeFile(paths.vhdx, file)
  const repaired = askOracle('qemu-img', 'check', '-r', 'all', '-f', 'vhdx', paths.vhdx)
  assert.equal(repaired.status, 0, repaired.text)
  assert.equal(askOracle('qemu-img', 'convert', '-f', 'vhdx', '-O', 'raw', paths.vhdx, paths.raw).status, 0)
  const expected = await readFile(paths.raw)
  assert.ok(!expected.equals(content), 'QEMU replayed nothing')
  await assertSameContent(await openDisk(bufferSource(file)), bufferSource(expected))
})

test('replays a log that QEMU wrote', async (t) => {
  if (!hasOracle(t, 'qemu-io')) return
  const directory = await temporaryDirectory(t)
  const paths = { vhdx: join(directory, 'disk.vhdx'), raw: join(directory, 'disk.raw') }
  assert.equal(askOracle('qemu-img', 'create', '-f', 'vhdx', paths.vhdx, '64M').status, 0)
  const before = await readFile(paths.vhdx)
  assert.equal(askOracle('qemu-io', '-f', 'vhdx', '-c', 'write -P 0x5a 9M 1M', paths.vhdx).status, 0)
  assert.equal(askOracle('qemu-img', 'convert', '-f', 'vhdx', '-O', 'raw', paths.vhdx, paths.raw).status, 0)

  // QEMU puts the BAT at 2 MiB. With the old one back in place, only the log knows about the new block.
  const file = await readFile(paths.vhdx)
  file.set(before.subarray(2 * MIB, 3 * MIB), 2 * MIB)
  const ring = logRing(file)
  const entryAt = ring.indexOf('loge')
  assert.ok(entryAt >= 0, 'QEMU left no log entry')
  markDirty(file, readGuid(ring, entryAt + 32, 'mixed'))
  await assertSameContent(await openDisk(bufferSource(file)), bufferSource(await readFile(paths.raw)))
})
