/** What lies in the vault and the database of an installation, seen from outside of its server. */
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Where the layout of a revision stands in its object, and which one it is when some of its chunks are patched. */
const layoutAt = 8
const layoutPatched = 2

/** How much all packs of a vault hold, from which a collection may take some away meanwhile. */
export function packsOf(folder: string): { readonly count: number; readonly sizeBytes: number } {
  const sizes = objectsOf(folder, 'packs')
    .flatMap((path) => statSync(path, { throwIfNoEntry: false }) ?? [])
    .filter((entry) => entry.isFile())
    .map(({ size }) => size)
  return { count: sizes.length, sizeBytes: sizes.reduce((sum, size) => sum + size, 0) }
}

/** The objects of revisions of which some chunks are patched. */
export function patchedRevisionsOf(folder: string): readonly string[] {
  return objectsOf(folder, 'revisions').filter((path) => layoutOf(path) === layoutPatched)
}

/** Which server process is collecting the vault, or was when it was killed; undefined when none. */
export function collectorOf(folder: string): string | undefined {
  const database = new DatabaseSync(join(folder, 'data', 'palisade.sqlite'))
  try {
    const row = database.prepare("SELECT holder FROM backup_timer WHERE kind = 'collect'").get()
    return typeof row?.holder === 'string' ? row.holder : undefined
  } finally {
    database.close()
  }
}

function objectsOf(folder: string, kind: 'packs' | 'revisions'): string[] {
  const vault = join(folder, 'data', 'vault')
  return readdirSync(vault, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.includes(`/${kind}/`))
    .map((name) => join(vault, name))
}

/** The layout of a revision; undefined when it was deleted meanwhile. */
function layoutOf(path: string): number | undefined {
  try {
    const file = openSync(path, 'r')
    try {
      const layout = Buffer.alloc(4)
      readSync(file, layout, 0, layout.length, layoutAt)
      return layout.readUInt32LE()
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
