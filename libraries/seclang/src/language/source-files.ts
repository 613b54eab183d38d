import { globSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/** Reads a file as a byte string: every byte one character U+0000–U+00FF. Throws what the file system throws. */
export function readByteString(path: string): string {
  return readFileSync(path, 'latin1')
}

/** The path of a file that another file names: relative to the folder of the latter. */
export function resolveBeside(file: string, name: string): string {
  return resolve(dirname(file), name)
}

/** The files that `Include` means, in the order of their names (bytewise, as Apache has it). */
export function includedFiles(file: string, pattern: string): readonly string[] {
  const path = resolveBeside(file, pattern)
  if (!/[*?[]/.test(path)) return [path]
  return globSync(path).sort((a, b) => (a < b ? -1 : 1))
}
