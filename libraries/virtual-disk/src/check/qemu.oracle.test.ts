import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { damagedFile, damageTo } from '../testing/fuzz/damage.ts'
import { diskSubjects } from '../testing/fuzz/disk-subjects.ts'
import { fuzzRuns } from '../testing/fuzz/runs.ts'
import { askOracleWith, hasOracle } from '../testing/oracle.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { writeSparseCopy } from '../testing/write-sparse-copy.ts'
import { checkDisk } from './check-disk.ts'

/** What QEMU refuses although the format allows it; the check says nothing of these. */
const limitsOfQemu = /Operation not supported|not supported/

const questions = [
  { title: 'a dynamic VHD', format: 'vhd', ask: ['info', '-f', 'vpc'] },
  { title: 'a VHDX', format: 'vhdx', ask: ['check', '-f', 'vhdx'] },
] as const

for (const { title, format, ask } of questions) {
  test(`wherever QEMU refuses ${title} that was damaged, the check has something to say`, async (t) => {
    if (!hasOracle(t, 'qemu-img')) return
    const subject = diskSubjects.find((candidate) => candidate.title === title)
    assert.ok(subject)
    const path = join(await temporaryDirectory(t), 'damaged')
    let agreed = 0
    const property = fc.asyncProperty(damageTo(subject), async (damage) => {
      const source = damagedFile(subject, { ...damage, sizeBytes: undefined })
      await writeSparseCopy(path, source)
      const { status, text } = askOracleWith({ millisecondsMax: 2000 }, 'qemu-img', ...ask, path)
      if (status === 0 || status === null || limitsOfQemu.test(text)) return
      assert.ok((await checkDisk(source, { format })).length > 0, text)
      agreed++
    })
    await fc.assert(property, { seed: fuzzRuns(60).seed, numRuns: 60 })
    assert.ok(agreed > 10, `QEMU refused only ${agreed} disks`)
  })
}
