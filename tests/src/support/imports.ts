import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './root.ts'

/** The files in `src` of a package that each of its files imports, types included; by their paths in the repository. */
export function importsIn(folder: string): ReadonlyMap<string, readonly string[]> {
  const files = new Set(globSync(`${folder}/src/**/*.ts`, { cwd: root }))
  return new Map(
    Array.from(files, (file) => {
      const imported = importedBy(readFileSync(join(root, file), 'utf8')).map((path) =>
        join(dirname(file), path),
      )
      return [file, imported.filter((path) => files.has(path))]
    }),
  )
}

/** The relative paths after `import` and `export … from`, with `type` and without, and in calls of import. */
export function importedBy(source: string): readonly string[] {
  const statements =
    /^(?:import|export)\b[^'"]*?\bfrom\s+'(\.[^']+)'|^import '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm
  return [...source.matchAll(statements)].map(([, from, bare, called]) => from ?? bare ?? called ?? '')
}
