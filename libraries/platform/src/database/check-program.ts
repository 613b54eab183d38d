/** Looks through an SQLite database, in a process of its own: nothing else can be done meanwhile, and a process can be ended. */
import { DatabaseSync } from 'node:sqlite'

const [file = ''] = process.argv.slice(2)
process.send?.(findDamage(file))
process.disconnect?.()

/** @returns the first thing that is wrong, in SQLite's words; empty when nothing is */
function findDamage(path: string): string {
  try {
    const database = new DatabaseSync(path, { readOnly: true })
    try {
      const { quick_check: result } = database.prepare('PRAGMA quick_check(1)').get() ?? {}
      return result === 'ok' ? '' : String(result)
    } finally {
      database.close()
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
