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

/**
 * Finds the circles of a graph: its strongly connected components of two or more nodes (Tarjan, "Depth-first search and linear graph
 * algorithms", 1972).
 *
 * @param graph what each node points to; what is no node itself is passed over
 */
export function circlesIn(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const indexes = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const circles: string[][] = []

  const visit = (node: string): number => {
    const index = indexes.size
    indexes.set(node, index)
    open.push(node)
    let low = index
    for (const next of graph.get(node) ?? []) {
      if (!graph.has(next)) continue
      if (!indexes.has(next)) low = Math.min(low, visit(next))
      else if (open.includes(next)) low = Math.min(low, lowest.get(next) ?? indexes.get(next) ?? low)
    }
    lowest.set(node, low)
    if (low === index) {
      const component = open.splice(open.indexOf(node))
      if (component.length > 1) circles.push(component)
    }
    return low
  }

  for (const node of graph.keys()) if (!indexes.has(node)) visit(node)
  return circles
}
