import { after } from 'node:test'

/** What a resource of tests ends with: a test, or all tests of a file. */
export interface Scope {
  /** Has this called at the end. */
  after(release: () => unknown): void
}

/**
 * The scope of the test file, for what its tests share: the resource that was made last is released first. To be called
 * while the file is loaded, since in a test the hook would be that of the test.
 */
export function scopeOfFile(): Scope {
  const releases: (() => unknown)[] = []
  after(async () => {
    for (const release of releases.toReversed()) await release()
  })
  return { after: (release) => void releases.push(release) }
}
