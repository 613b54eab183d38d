import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ByteSource, bufferSource, readBytes } from '../byte-source.ts'
import { checkDisk } from '../check/check-disk.ts'
import type { ParentReference } from '../disk/virtual-disk.ts'
import { MIB } from '../extent.ts'
import { describeDisk } from '../read/describe-disk.ts'
import { openDisk } from '../read/open-disk.ts'
import { boundedSource } from '../testing/fuzz/bounded-source.ts'
import { damagedFile, damageTo } from '../testing/fuzz/damage.ts'
import { diskSubjects, parents } from '../testing/fuzz/disk-subjects.ts'
import { fuzzRuns } from '../testing/fuzz/runs.ts'
import { assertClear, assertConsistent, failureOf } from '../testing/fuzz/verdict.ts'

/** Far more than any of the small disks here needs. */
const BYTES_READ_MAX = 1024 * MIB
const MILLISECONDS_MAX = 10_000

for (const subject of diskSubjects) {
  test(`whatever is wrong with ${subject.title}, it is read or refused, and checked, in bounds`, async () => {
    const property = fc.asyncProperty(damageTo(subject), async (damage) => {
      const { source, bytesRead } = boundedSource(damagedFile(subject, damage), BYTES_READ_MAX)
      const started = performance.now()
      const findings = await checkDisk(source)
      for (const finding of findings) assertClear(finding)
      const failure = await failureOf(() => readSome(source))
      const undescribed = await failureOf(() => describeDisk(source))
      const milliseconds = performance.now() - started
      assert.ok(milliseconds < MILLISECONDS_MAX, `${milliseconds} ms, ${bytesRead()} bytes`)
      assertConsistent(findings, failure)
      assertConsistent(findings, undescribed)
    })
    await fc.assert(property, fuzzRuns(400))
  })
}

/** Opens the disk and reads both ends and what lies in its first extents. */
async function readSome(source: ByteSource): Promise<void> {
  const disk = await openDisk(source, { resolveParent })
  const sizeBytes = Math.min(disk.sizeBytes, 64 * 1024)
  await readBytes(disk, 0, sizeBytes)
  await readBytes(disk, disk.sizeBytes - sizeBytes, sizeBytes)
  let count = 0
  for await (const extent of disk.extents()) {
    await readBytes(disk, extent.offsetBytes, Math.min(extent.sizeBytes, 4096))
    if (++count === 20) return
  }
}

async function resolveParent({ format }: ParentReference): Promise<ByteSource | undefined> {
  const parent = parents[format === 'vhd' ? 0 : 1]
  return parent && bufferSource(parent)
}
