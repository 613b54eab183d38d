import { lstatSync, mkdirSync, readdirSync, rmSync, type Stats, statSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { userInfo } from 'node:os'
import { join } from 'node:path'

/** Functions that a program has called by then are in the cache; what it compiles later is compiled at each start. */
const flushAfterMs = 15_000

/** What is older was compiled for another release, or is compiled once more. */
export const ageMaxMs = 30 * 24 * 3_600_000

/**
 * Lets Node keep the code that V8 compiles, and find it there at the next start: the modules of the server and the proxy are megabytes.
 *
 * Whoever may write in the folder has this process run what he likes, so it is one that belongs to this user and is open to nobody
 * else: in systemd's `CacheDirectory=`, or else in `.cache` of the home that the system's list of users names, whatever `HOME` says.
 * Where there is none, everything is compiled anew. `NODE_COMPILE_CACHE` and `NODE_DISABLE_COMPILE_CACHE` are obeyed as by any Node.
 */
export function cacheCompiledCode(): void {
  const folder = privateFolder()
  if (folder === undefined) return
  enableCompileCache(folder)
  // A command ends before, and Node writes then.
  setTimeout(() => {
    flushCompileCache()
    removeOld(folder)
  }, flushAfterMs).unref()
}

/** Undefined where there is none that is this user's alone, and on Windows. */
function privateFolder(): string | undefined {
  try {
    const above = process.env.CACHE_DIRECTORY ?? join(userInfo().homedir, '.cache', 'palisade')
    const folder = join(above, 'compiled')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // Whoever may write in the one above could put another folder in the place of this one.
    const statsAbove = statSync(above)
    if (!isOwn(statsAbove) || (statsAbove.mode & 0o022) !== 0) return undefined
    // A link has other bits.
    const stats = lstatSync(folder)
    return isOwn(stats) && (stats.mode & 0o777) === 0o700 ? folder : undefined
  } catch {
    // The user has no home, or may not write there: programs work without.
    return undefined
  }
}

function isOwn({ uid }: Stats): boolean {
  return uid === process.geteuid?.()
}

/** Removes files that are older than {@link ageMaxMs}. */
export function removeOld(folder: string): void {
  try {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (entry.isFile() && statSync(path).mtimeMs < Date.now() - ageMaxMs) rmSync(path)
    }
  } catch {
    // Another process has removed it a moment ago; the next start looks again.
  }
}
