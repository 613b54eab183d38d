import type { Revision } from '../revisions/revisions.ts'

const partLengthMax = 32

/**
 * What the disk of a revision is called, without folder and extension: the computer, the volume and the revision,
 * such as `files01-Archive-12`. Letters, digits, dots, dashes and underscores only, which every file system
 * takes; short enough for 255 bytes with an extension and a number behind it.
 */
export function diskFileName(computerName: string, { id, volume }: Pick<Revision, 'id' | 'volume'>): string {
  const name = volume.label || volume.driveLetter || 'volume'
  return [part(computerName) || 'computer', part(name) || 'volume', id].join('-')
}

function part(text: string): string {
  return text
    .normalize('NFC')
    .slice(0, partLengthMax)
    .replaceAll(/[^\p{L}\p{M}\p{N}._-]+/gu, '-')
    .replaceAll(/^[\p{M}._-]+|[._-]+$/gu, '')
}
