import { test } from 'node:test'
import fc from 'fast-check'
import { DiskFailure } from '../failure.ts'
import { decodeBootRecord } from '../partitions/mbr.ts'
import { damagedTargets, damageTo } from '../testing/fuzz/damage.ts'
import { diskSubjects } from '../testing/fuzz/disk-subjects.ts'
import { fuzzRuns } from '../testing/fuzz/runs.ts'
import { decodeDynamicHeader } from '../vhd/dynamic-header.ts'
import { decodeFooter } from '../vhd/footer.ts'
import { decodeHeader } from '../vhdx/header.ts'
import { decodeParentLocator } from '../vhdx/parent-locator.ts'
import { decodeRegionTable } from '../vhdx/region-table.ts'

/** What reads a header by itself. Region tables are 64 KiB to checksum, so they get a tenth of the runs. */
const decoders = [
  { name: 'footer', subject: 'a dynamic VHD', target: 0, decode: decodeFooter },
  { name: 'dynamic header', subject: 'a differencing VHD', target: 1, decode: decodeDynamicHeader },
  { name: 'VHDX header', subject: 'a VHDX', target: 1, decode: decodeHeader },
  { name: 'parent locator', subject: 'a differencing VHDX', target: 8, decode: decodeParentLocator },
  { name: 'boot record', subject: 'a dynamic VHD', target: 0, decode: decodeBootRecord },
  { name: 'region table', subject: 'a VHDX', target: 3, decode: decodeRegionTable, share: 0.1 },
]

for (const { name, subject: title, target, decode, share = 1 } of decoders) {
  test(`a damaged ${name} is read or refused`, () => {
    const whole = diskSubjects.find((candidate) => candidate.title === title)
    const original = whole?.targets[target]
    if (whole === undefined || original === undefined) throw new Error(`there is no ${title}`)
    const subject = { ...whole, targets: [original] }
    const property = fc.property(damageTo(subject), (damage) => {
      const [damaged] = damagedTargets(subject, damage)
      try {
        decode(damaged?.bytes ?? Buffer.alloc(0), 0)
      } catch (error) {
        if (!(error instanceof DiskFailure)) throw error
      }
    })
    const { numRuns, seed } = fuzzRuns(2000)
    fc.assert(property, { numRuns: Math.ceil(numRuns * share), seed })
  })
}
