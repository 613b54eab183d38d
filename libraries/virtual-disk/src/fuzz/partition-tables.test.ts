import { test } from 'node:test'
import fc from 'fast-check'
import { checkPartitionTable } from '../partitions/check.ts'
import { readPartitionTable } from '../partitions/read.ts'
import { boundedSource } from '../testing/fuzz/bounded-source.ts'
import { damagedFile, damageTo } from '../testing/fuzz/damage.ts'
import { partitionSubjects } from '../testing/fuzz/partition-subjects.ts'
import { fuzzRuns } from '../testing/fuzz/runs.ts'
import { assertClear, assertConsistent, failureOf } from '../testing/fuzz/verdict.ts'

/** Far more than a table and its longest chain of logical drives take. */
const BYTES_READ_MAX = 4 * 1024 * 1024

for (const subject of partitionSubjects) {
  test(`whatever is wrong with ${subject.title}, it is read or refused, and checked`, async () => {
    const property = fc.asyncProperty(damageTo(subject), async (damage) => {
      const { source } = boundedSource(damagedFile(subject, damage), BYTES_READ_MAX)
      const findings = await checkPartitionTable(source)
      for (const finding of findings) assertClear(finding)
      assertConsistent(findings, await failureOf(() => readPartitionTable(source)))
    })
    await fc.assert(property, fuzzRuns(1000))
  })
}
