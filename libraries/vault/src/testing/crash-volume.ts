import { exampleVolume } from './volume.ts'

export const crashDomain = 'crash/test'
export const crashChunkSizeBytes = 4096

/** The volume of a revision: most of it shared with other revisions, some of it its own. */
export function crashVolume(revision: string): Buffer {
  const volume = exampleVolume('shared', crashChunkSizeBytes, 40)
  const own = exampleVolume(revision, crashChunkSizeBytes, 20)
  const place = [...revision].reduce((sum, character) => sum + character.charCodeAt(0), 0) % 20
  own.copy(volume, place * crashChunkSizeBytes)
  return volume
}
