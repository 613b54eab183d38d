import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { test } from 'node:test'
import { root } from './support/root.ts'

/**
 * The floors of a package, from the top down. What stands on a floor are folders and files right in `src`; each imports only what
 * is on floors below its own, types included. Tests and what is in `testing` folders may import anything.
 */
type Floors = readonly (readonly string[])[]

const floorsOf: Readonly<Record<string, Floors>> = {
  // Drawn in the "Map" of its README.
  'programs/backup-agent': [
    ['index.ts'],
    ['command.ts'],
    ['agent'],
    ['machine', 'backup', 'compare'],
    ['restore', 'instant', 'tracking'],
    ['tasks', 'disk-layout'],
    ['end-to-end', 'workers', 'destinations'],
    ['sessions', 'shares', 'hosts', 'volumes'],
    ['server', 'system-calls', 'file-systems'],
    ['state', 'chunks', 'identity.ts'],
    ['failure.ts', 'json.ts', 'backoff.ts'],
  ],
  'libraries/vault': [
    ['index.ts'],
    ['vault', 'retention'],
    ['pack', 'chunks.ts'],
    ['verify'],
    ['revision'],
    ['chunk-index', 'record.ts', 'in-parallel.ts', 'breathe.ts'],
    ['chunk'],
    ['keys'],
    ['storage'],
    ['direct-io', 'failure.ts', 'object-names.ts'],
    ['system-code.ts'],
  ],
  'libraries/platform': [
    ['index.ts'],
    ['oauth', 'service-foundation.ts'],
    ['secrets', 'refuse-problems.ts'],
    ['http'],
    ['openapi', 'metrics.ts', 'data-directory.ts', 'repeated-indexes.ts', 'sliding-window.ts'],
    ['database', 'refusal.ts', 'duration-histogram.ts', 'clock.ts'],
  ],
}

const statements =
  /^(?:import|export)\b[^'"]*?\bfrom '(\.[^']+)'|^import '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm

/** Which files of a package's `src` each of them imports, tests left out. */
function importsIn(folder: string): ReadonlyMap<string, readonly string[]> {
  const src = join(root, folder, 'src')
  const files = globSync('**/*.ts', { cwd: src }).filter((file) => !/\.test\.ts$|(^|\/)testing\//.test(file))
  return new Map(
    files.map((file) => {
      const source = readFileSync(join(src, file), 'utf8')
      const imported = [...source.matchAll(statements)].map(([, from, bare, called]) =>
        posix.join(dirname(file), from ?? bare ?? called ?? ''),
      )
      return [file, imported.filter((other) => files.includes(other))]
    }),
  )
}

/** The folder or file right in `src` that a file belongs to. */
function entryOf(file: string): string {
  return file.split('/')[0] ?? file
}

for (const [folder, floors] of Object.entries(floorsOf)) {
  test(`each folder of ${folder} imports only what is on the floors below it`, () => {
    const imports = importsIn(folder)
    assert.ok(imports.size > 20, `only ${imports.size} files were read`)
    const floorOf = new Map(floors.flatMap((entries, floor) => entries.map((entry) => [entry, floor])))
    assert.deepEqual([...floorOf.keys()].sort(), [...new Set([...imports.keys()].map(entryOf))].sort())
    const upward: string[] = []
    for (const [file, others] of imports) {
      for (const other of others) {
        const [from, to] = [entryOf(file), entryOf(other)]
        if (from !== to && (floorOf.get(from) ?? 0) >= (floorOf.get(to) ?? 0))
          upward.push(`${file} imports ${other}`)
      }
    }
    assert.deepEqual(upward, [])
  })
}
