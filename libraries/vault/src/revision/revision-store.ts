import { isUnreadable, VaultFailure } from '../failure.ts'
import { inParallel } from '../in-parallel.ts'
import type { DomainKeys } from '../keys/derive.ts'
import { baseName, revisionsPrefix } from '../object-names.ts'
import { readObject, readPresent, type StorageBackend } from '../storage/backend.ts'
import type { RevisionChunks } from './revision-chunks.ts'
import { decodeRevision, decodeRevisionHead } from './revision-format.ts'
import { assertRevisionId, type RevisionHead } from './revision-head.ts'

const readsAtOnce = 8
/** Holds the head of a usual revision. */
const firstReadBytes = 4096

/** @throws VaultFailure `revision-missing`, `damaged` */
export async function readRevision(
  backend: StorageBackend,
  keys: DomainKeys,
  revision: string,
): Promise<{ head: RevisionHead; chunks: RevisionChunks }> {
  assertRevisionId(revision)
  const content = await readObject(backend, revisionsPrefix(keys.tag) + revision)
  if (!content) throw new VaultFailure('revision-missing', `there is no revision ${revision}`)
  return decodeRevision(keys, revision, content)
}

/** The heads of all revisions of a domain, oldest first. */
export async function listRevisions(
  backend: StorageBackend,
  keys: DomainKeys,
  onDamaged: ((revision: string, failure: VaultFailure) => void) | undefined,
): Promise<RevisionHead[]> {
  const names = await backend.list(revisionsPrefix(keys.tag))
  const heads: RevisionHead[] = []
  await inParallel(names, readsAtOnce, async (name) => {
    try {
      const head = await readHead(backend, keys, name)
      if (head) heads.push(head)
    } catch (error) {
      if (!onDamaged || !isUnreadable(error)) throw error
      onDamaged(baseName(name), error)
    }
  })
  return heads.sort((a, b) => a.createdMs - b.createdMs || (a.revision < b.revision ? -1 : 1))
}

/** Nothing when the revision was deleted since its name was listed. */
function readHead(
  backend: StorageBackend,
  keys: DomainKeys,
  name: string,
): Promise<RevisionHead | undefined> {
  return readPresent(backend, name, async (sizeBytes) => {
    const readStart = async (lengthBytes: number) => {
      const start = Buffer.allocUnsafe(lengthBytes)
      await backend.read(name, 0, start)
      return decodeRevisionHead(keys, baseName(name), start)
    }
    let head = await readStart(Math.min(firstReadBytes, sizeBytes))
    if ('neededBytes' in head && head.neededBytes <= sizeBytes) head = await readStart(head.neededBytes)
    if ('neededBytes' in head) throw new VaultFailure('damaged', `${name} is too short`)
    return head
  })
}
