import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** A new folder that is removed when the test has ended. */
export function temporaryDirectory(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'palisade-test-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
