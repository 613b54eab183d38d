import { existsSync } from 'node:fs'

/** Why tests that need these programs, given by their paths, are skipped here; false when all are there. */
export function notInstalled(...programs: readonly string[]): string | false {
  const missing = programs.filter((program) => !existsSync(program))
  return missing.length > 0 && `not installed: ${missing.join(', ')}`
}
