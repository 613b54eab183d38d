import { randomUUID } from 'node:crypto'

/** File systems allow 255 bytes; the partial name adds the id of the restore, and a number may be added. */
const nameSizeMaxBytes = 120
const substituteName = 'disk'

/**
 * A file name made of what the server suggests: one name, not a path, without characters that a file system, a
 * shell or Windows reads as something else, and not hidden.
 */
export function safeBaseName(suggested: string): string {
  const name = suggested
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}/\\:*?"<>|]/gu, '_')
    .replace(/^[\s.]+/, '')
    .replace(/[\s.]+$/, '')
  return firstBytes(name, nameSizeMaxBytes) || substituteName
}

/** Names under which disks lie until they are finished, one for each base name. */
export function partialNames(restoreId: string, baseNames: readonly string[]): string[] {
  return baseNames.map((name, index) => {
    const isRepeated = baseNames.indexOf(name) !== index
    return `.${name}.${restoreId}${isRepeated ? `-${index + 1}` : ''}.partial`
  })
}

/** A name that nobody has, for a file that is made to see whether it can be. */
export function probeName(): string {
  return `.palisade-probe-${randomUUID()}`
}

/** The beginning of a text: as many whole characters as fit into so many bytes of UTF-8. */
function firstBytes(text: string, sizeMaxBytes: number): string {
  let cut = ''
  for (const character of text) {
    if (Buffer.byteLength(cut + character) > sizeMaxBytes) break
    cut += character
  }
  return cut
}
