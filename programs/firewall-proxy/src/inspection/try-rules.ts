import { resolve } from 'node:path'
import { MemoryCollectionStorage } from '@palisade/seclang'
import { openLibinjection } from '@palisade/seclang/libinjection'
import { loadRuleSets, reportOf } from './rule-sets.ts'

/** Prints what loading the rules of a folder gives. @returns 0 when they can be used */
export function tryRules(folder: string, libraries: string | undefined): number {
  const storages = { of: () => new MemoryCollectionStorage() }
  const rules = loadRuleSets(
    {
      named: { folder: resolve(folder) },
      ...(libraries === undefined ? {} : { libraryFolder: resolve(libraries) }),
      withoutRules: 'refuse',
    },
    storages,
  )
  process.stdout.write(`${JSON.stringify(reportOf(rules))}\n`)
  return 'problem' in rules ? 1 : 0
}

/** @returns 0 when rules have what they ask, of the system or of the folder */
export function tryLibraries(folder: string): number {
  const { problem } = openLibinjection({ folder: resolve(folder) })
  process.stderr.write(problem)
  return problem === '' ? 0 : 1
}
