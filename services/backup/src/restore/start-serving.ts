import { randomUUID } from 'node:crypto'
import { agentOffline } from '../agents/agent-links.ts'
import type { Computer } from '../computers/computers.ts'
import { servedFormat } from '../tasks/task.ts'
import { revisionsOfRestore } from './chosen-revisions.ts'
import { asObject, readRevisionIds } from './read-fields.ts'
import { restoreMessages, restoreRefused } from './restore-refused.ts'
import { enterRestore, type RestoreDependencies } from './start-restore.ts'

/**
 * Starts a restore that writes nothing: the computer's agent lets programs read the revisions as disks. Checked in this order: the
 * form of the request, whether the agent is there and does that, whether the revisions are the computer's.
 *
 * Unlike in other restores several may be of one volume, as it was at several times, and none comes along that was not named.
 *
 * @param body what the caller sent
 * @returns the id of the restore, which is in the store
 * @throws RequestInvalid in the specification's words
 */
export async function startServing(
  computer: Computer,
  body: unknown,
  { tasks, revisions, links, dispatch }: Omit<RestoreDependencies, 'seal'>,
): Promise<string> {
  const errors: string[] = []
  const ids = readRevisionIds(asObject(body)?.revisions, errors)
  if (ids === undefined) throw restoreRefused(errors)
  if (!links.isOnline(computer)) throw agentOffline()
  if (!links.canServeDisks(computer)) throw restoreRefused([restoreMessages.servesNoDisks])
  const uniqueIds = [...new Set(ids)]
  const storedRevisions = await revisions.find(computer, uniqueIds)
  const unknown = uniqueIds.filter((id) => !storedRevisions.some((revision) => revision.id === id))
  if (unknown.length > 0) throw restoreRefused(unknown.map(restoreMessages.unknownRevision))

  const id = randomUUID()
  const chosen = revisionsOfRestore(computer, storedRevisions)
  const request = { destination: { path: '' }, diskFormat: servedFormat, ...chosen } as const
  await enterRestore(computer, request, { id, sealedCredentials: null }, { tasks, dispatch })
  return id
}
