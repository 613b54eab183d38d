import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import koffi from 'koffi'

/** A shared library of which functions may be taken. */
export type LoadedLibrary = ReturnType<typeof koffi.load>

/**
 * Loads a shared library of the system or, where that does not work, of a folder that holds it together with what it needs.
 *
 * @param name as programs ask for it, such as `libmodsecurity.so.3`
 * @param folder absolute; it may be missing
 * @throws {Error} in the words of the system's loader, also where the system has the library and not all that it needs
 */
export function loadLibrary(name: string, folder: string | undefined): LoadedLibrary {
  try {
    return koffi.load(name)
  } catch (error) {
    if (folder === undefined || !existsSync(folder)) throw error
    return loadFromFolder(name, folder)
  }
}

/**
 * The system's loader does not search the folder. It takes what the process has loaded already for what a library says that it needs
 * (dlopen(3): by its name, `DT_SONAME`), though, so that all libraries of the folder are loaded: those first that need no other.
 */
function loadFromFolder(name: string, folder: string): LoadedLibrary {
  // Until the library itself holds them: what nobody refers to is unloaded.
  const loaded: LoadedLibrary[] = []
  let reason = ''
  let waiting = readdirSync(folder)
  for (let before = Infinity; waiting.length < before; ) {
    before = waiting.length
    waiting = waiting.filter((file) => {
      try {
        loaded.push(koffi.load(join(folder, file)))
        return false
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error)
        return true
      }
    })
  }
  try {
    return koffi.load(name)
  } catch (error) {
    throw waiting.length === 0 ? error : new Error(`of the libraries in ${folder}: ${reason}`)
  }
}
