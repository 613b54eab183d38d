import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { newFolder, root } from '@palisade/tests'
import type { Extent } from './extent.ts'
import { print, summarise } from './harness.ts'
import { rulesForModSecurity3 } from './modsecurity-rules.ts'
import { trafficCases } from './traffic/cases.ts'

const program = join(root, 'libraries', 'seclang', 'dist', 'testing', 'speed.js')
const peer = 'ModSecurity 3'

/**
 * The rules alone, without HTTP, in a process of their own: CPU time per request with its answer, beside ModSecurity 3, whose library
 * is called in the same way. Each program judges until it is warm before it counts.
 */
export async function rulesAlone({ rounds, rulesMs }: Extent): Promise<void> {
  const folder = newFolder()
  const cases = join(folder, 'cases.json')
  const rules = join(folder, 'rules.conf')
  writeFileSync(cases, JSON.stringify(trafficCases))
  writeFileSync(rules, rulesForModSecurity3())
  const engines = new Map([
    ['palisade', [cases]],
    [peer, [cases, rules]],
  ])
  /** Microseconds, by the name of the case and that of the engine, round by round. */
  const figures = new Map(
    trafficCases.map(({ name }) => [
      name,
      new Map([...engines.keys()].map((engine) => [engine, [] as number[]])),
    ]),
  )
  for (let round = 0; round < rounds; round++) {
    for (const [engine, files] of engines) {
      for (const { name, microsecondsPerTransaction } of await judge(files, rulesMs)) {
        figures.get(name)?.get(engine)?.push(microsecondsPerTransaction)
      }
    }
  }
  for (const [name, ofCase] of figures) {
    const title = `The Core Rule Set alone, ${name}`
    print({ title, unit: 'CPU µs per transaction', peer, moreIsBetter: false }, summarise(ofCase, peer))
  }
}

async function judge(
  files: readonly string[],
  milliseconds: number,
): Promise<readonly { readonly name: string; readonly microsecondsPerTransaction: number }[]> {
  const env = { ...process.env, PALISADE_SPEED_MS: String(milliseconds) }
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...files], { env })
  return JSON.parse(stdout)
}
