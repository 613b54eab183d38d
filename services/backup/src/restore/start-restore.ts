import { randomUUID } from 'node:crypto'
import type { AgentLinks } from '../agents/agent-links.ts'
import { agentOffline } from '../agents/agent-links.ts'
import type { Dispatch } from '../agents/dispatch.ts'
import type { Computer } from '../computers/computers.ts'
import type { Revisions } from '../revisions/revisions.ts'
import type { CredentialSeal } from '../tasks/share-credentials.ts'
import type { RestoreRequest } from '../tasks/task.ts'
import type { Tasks } from '../tasks/tasks.ts'
import { chooseRevisions, revisionsOfRestore } from './chosen-revisions.ts'
import { readRestoreRequest } from './read-restore-request.ts'
import { restoreMessages, restoreRefused } from './restore-refused.ts'
import { restoreObstacles } from './restore-rules.ts'

/** What every restore needs to be checked, stored and handed to the agent. */
export interface RestoreDependencies {
  readonly tasks: Tasks
  readonly revisions: Revisions
  readonly links: AgentLinks
  readonly dispatch: Dispatch
  readonly seal: CredentialSeal
}

/**
 * Starts a restore as virtual disks. Checked in this order: the form of the request, whether the agent is there,
 * what depends on the revisions.
 *
 * @param body what the caller sent
 * @returns the id of the restore, which is in the store
 * @throws RequestInvalid in the specification's words
 */
export async function startRestore(
  computer: Computer,
  body: unknown,
  { tasks, revisions, links, dispatch, seal }: RestoreDependencies,
): Promise<string> {
  const { path, credentials, diskFormat, revisionIds } = readRestoreRequest(body)
  if (!links.isOnline(computer)) throw agentOffline()
  const { ids, found } = await chooseRevisions(computer, revisionIds, revisions)
  const obstacles = restoreObstacles(ids, found, diskFormat)
  if (obstacles.length > 0) throw restoreRefused(obstacles)

  const id = randomUUID()
  const sealedCredentials = credentials ? seal.seal(id, { share: credentials }) : null
  const request = {
    destination: { path },
    diskFormat,
    ...revisionsOfRestore(computer, found),
  }
  await enterRestore(computer, request, { id, sealedCredentials }, { tasks, dispatch })
  return id
}

/**
 * Enters a restore, and tells the agent of it.
 *
 * @param more what `Tasks.startRestore` needs
 * @throws RequestInvalid when revisions were deleted since they were chosen
 */
export async function enterRestore(
  computer: Computer,
  request: RestoreRequest,
  more: Parameters<Tasks['startRestore']>[2],
  { tasks, dispatch }: Pick<RestoreDependencies, 'tasks' | 'dispatch'>,
): Promise<void> {
  const entered = await tasks.startRestore(computer, request, more)
  if ('deleted' in entered) throw restoreRefused(entered.deleted.map(restoreMessages.unknownRevision))
  dispatch.start(computer, entered)
}
