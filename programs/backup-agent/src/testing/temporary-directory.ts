import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Scope } from './scope.ts'

/** A directory of its own for a test, or for all tests of a file, removed when that ends. */
export function temporaryDirectory(t: Scope): string {
  const path = mkdtempSync(join(tmpdir(), 'palisade-agent-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}
