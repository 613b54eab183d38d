import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cleanUp, newFolder, root } from '@palisade/tests'
import { median } from './harness.ts'
import { trafficCases } from './traffic/cases.ts'

/** The rules alone, without HTTP, in a process of their own: CPU time per request with its answer. */
export async function rulesAlone(rounds: number): Promise<void> {
  try {
    const file = join(newFolder(), 'cases.json')
    writeFileSync(file, JSON.stringify(trafficCases))
    const program = join(root, 'libraries', 'seclang', 'dist', 'testing', 'speed.js')
    const figures = new Map<string, number[]>()
    for (let round = 0; round < rounds; round++) {
      const { stdout } = await promisify(execFile)(process.execPath, [program, file])
      for (const { name, microsecondsPerTransaction } of JSON.parse(stdout)) {
        figures.set(name, [...(figures.get(name) ?? []), microsecondsPerTransaction])
      }
    }
    console.log('\nThe Core Rule Set alone (CPU µs per transaction, less is better)')
    for (const [name, values] of figures)
      console.log(`  ${name.padEnd(16)} ${median(values).toFixed(0).padStart(8)}`)
  } finally {
    await cleanUp()
  }
}
