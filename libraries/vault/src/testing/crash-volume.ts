import type { Vault } from '../vault/vault.ts'
import { backUpPatched, changeForPatches } from './patched-volume.ts'
import { backUp, exampleVolume } from './volume.ts'

export const crashDomain = 'crash/test'
export const crashChunkSizeBytes = 4096

/** The volume of a revision: most of it shared with other revisions, some of it its own; of every other revision a part is patched. */
export function crashVolume(revision: string): Buffer {
  return isPatched(revision) ? changeOf(revision).volume : wholeVolume(revision)
}

/** Backs the volume of a revision up. */
export async function backUpCrashVolume(vault: Vault, revision: string): Promise<void> {
  if (isPatched(revision)) await backUpPatched(vault, crashDomain, revision, changeOf(revision))
  else await backUp(vault, crashDomain, revision, crashVolume(revision))
}

function wholeVolume(revision: string): Buffer {
  const volume = exampleVolume('shared', crashChunkSizeBytes, 40)
  const own = exampleVolume(revision, crashChunkSizeBytes, 20)
  own.copy(volume, (sumOf(revision) % 20) * crashChunkSizeBytes)
  return volume
}

function changeOf(revision: string) {
  return changeForPatches(wholeVolume(revision), crashChunkSizeBytes, revision)
}

function isPatched(revision: string): boolean {
  return sumOf(revision) % 2 === 1
}

function sumOf(revision: string): number {
  return [...revision].reduce((sum, character) => sum + character.charCodeAt(0), 0)
}
