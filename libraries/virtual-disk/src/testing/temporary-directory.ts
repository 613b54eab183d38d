import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** A directory of the test's own, removed when the test ends. */
export async function temporaryDirectory(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'virtual-disk-'))
  t.after(() => rm(directory, { recursive: true, force: true }))
  return directory
}
