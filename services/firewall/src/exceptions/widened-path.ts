/** A folder under which a rule fired for so many names is taken as a whole. */
const namesOfFolder = 5

/** Segments that programs make up, such as UUIDs and digests: hardly anybody asks for one of them again. */
const id = /^(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{16,})$/i

/**
 * The paths that stand for others like them, each with one "*" at most: ids are left open at once, and the name behind the last slash
 * where five names were seen.
 *
 * @param paths at which one rule fired for one part of requests
 * @returns for each of them what stands for it, which may be itself
 */
export function widenedPaths(paths: Iterable<string>): ReadonlyMap<string, string> {
  const idless = new Map(Array.from(paths, (path) => [path, withoutIds(path)] as const))
  const byFolder = Map.groupBy(new Set(idless.values()), folderOf)
  const isWhole = (folder: string) => folder !== '/' && (byFolder.get(folder)?.length ?? 0) >= namesOfFolder
  return new Map(
    Array.from(idless, ([path, widened]) => {
      const folder = folderOf(widened)
      return [path, !folder.includes('*') && isWhole(folder) ? `${folder}*` : widened]
    }),
  )
}

/** The path with everything from its first id to its last one replaced by a wildcard. */
function withoutIds(path: string): string {
  const segments = path.split('/')
  const first = segments.findIndex((segment) => id.test(segment))
  if (first < 0) return path
  const last = segments.findLastIndex((segment) => id.test(segment))
  const widened = [...segments.slice(0, first), '*', ...segments.slice(last + 1)].join('/')
  return widened === '/*' ? path : widened
}

/** With its slash at the end. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}
